#pragma once

// What it means for a hook of a protocol to fit: that it can be called as TypedService calls it.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/field_type.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/member.h"
#include "foretell/model/typed/protocol_types.h"

namespace foretell::model {

// Arguments of hooks, as they are called.
template <class P>
struct HookArguments {
  using State = typename P::State;
  using Message = typename P::Message;
  using Action = typename ActionOf<P>::type;
  using Body = typename LiveOf<P>::type;
  using Cut = TypedCut<State, Message>;
  const P& protocol;
  Body& body;
  const State& state;
  NodeId node;
  const Message& message;
  const Action& action;
  Context<Message>& context;
  const Cut& cut;
  const std::string& text;
};

// Without actions there is nothing for their hooks to fit, which is another rule.
template <class P>
inline constexpr bool kActs = requires {
  typename P::Action;
};

// A hook changes the state it is given: taken by value it would change a copy. Hooks that are
// overloaded or templates are believed.
template <auto kFunction>
constexpr bool FirstIsReference() {
  return std::is_reference_v<typename FirstArgument<decltype(kFunction)>::type>;
}
#define FORETELL_TAKES_REFERENCE_(NAME) \
  (                                     \
      !requires { &P::NAME; } || requires { requires FirstIsReference<&P::NAME>(); })

template <class P>
concept FitsOnMessage = requires(HookArguments<P> a) {
  { a.protocol.OnMessage(a.body, a.node, a.message, a.context) } -> std::same_as<void>;
}
&&FORETELL_TAKES_REFERENCE_(OnMessage);
template <class P>
concept FitsOnAction = !kActs<P> || (requires(HookArguments<P> a) {
  { a.protocol.OnAction(a.body, a.action, a.context) } -> std::same_as<void>;
} && FORETELL_TAKES_REFERENCE_(OnAction));
template <class P>
concept FitsOnRestart = requires(HookArguments<P> a) {
  { a.protocol.OnRestart(a.body, a.context) } -> std::same_as<void>;
}
&&FORETELL_TAKES_REFERENCE_(OnRestart);
template <class P>
concept FitsOnBreak = requires(HookArguments<P> a) {
  { a.protocol.OnBreak(a.body, a.node, a.context) } -> std::same_as<void>;
}
&&FORETELL_TAKES_REFERENCE_(OnBreak);

template <class P>
concept FitsOnCrash = requires(HookArguments<P> a) {
  { a.protocol.OnCrash(a.node, a.state) } -> std::convertible_to<typename P::State>;
};
template <class P>
concept FitsActions = !kActs<P> || requires(HookArguments<P> a) {
  {
    a.protocol.Actions(a.node, a.state)
    } -> std::convertible_to<std::vector<typename HookArguments<P>::Action>>;
};
template <class P>
concept FitsCalls = !kActs<P> || requires(HookArguments<P> a) {
  {
    a.protocol.Calls(a.node, a.state)
    } -> std::convertible_to<std::vector<typename HookArguments<P>::Action>>;
};
template <class P>
concept FitsInitial = requires(HookArguments<P> a) {
  { a.protocol.Initial(a.node) } -> std::convertible_to<typename P::State>;
};
template <class P>
concept FitsInvariants = requires(HookArguments<P> a) {
  {
    a.protocol.Invariants()
    } -> std::convertible_to<std::vector<TypedInvariant<typename P::State>>>;
};
template <class P>
concept FitsNodeCount = requires(const P& p) {
  { p.node_count() } -> std::convertible_to<uint32_t>;
};
template <class P>
concept FitsNetwork = requires(const P& p) {
  { p.network() } -> std::same_as<Network>;
};
template <class P>
concept FitsFaults = requires(HookArguments<P> a) {
  { a.protocol.faults(a.node) } -> std::same_as<FaultBudget>;
};
template <class P>
concept FitsRole = requires(HookArguments<P> a) {
  { a.protocol.Role(a.node) } -> std::convertible_to<std::string>;
};
template <class P>
concept FitsTiming = requires(HookArguments<P> a) {
  { a.protocol.Timing(a.action) } -> std::same_as<ActionTiming>;
};
template <class P>
concept FitsWeight = requires(HookArguments<P> a) {
  { a.protocol.Weight(a.action) } -> std::same_as<uint32_t>;
}
|| requires(HookArguments<P> a) {
  { a.protocol.Weight(a.message) } -> std::same_as<uint32_t>;
};
template <class P>
concept FitsParseCall = requires(HookArguments<P> a) {
  {
    a.protocol.ParseCall(a.text)
    } -> std::same_as<std::optional<typename HookArguments<P>::Action>>;
};
template <class P>
concept FitsAsk = requires(HookArguments<P> a) {
  { a.protocol.Ask(a.state, a.text) } -> std::same_as<std::optional<std::string>>;
};
template <class P>
concept FitsImagine = requires(HookArguments<P> a) {
  {
    a.protocol.Imagine(a.cut)
    } -> std::same_as<std::vector<TypedImagined<typename P::State, typename P::Message>>>;
};
template <class P>
concept FitsValid = requires(HookArguments<P> a) {
  { a.protocol.Valid(a.state) } -> std::same_as<bool>;
}
|| requires(HookArguments<P> a) {
  { a.protocol.Valid(a.message) } -> std::same_as<bool>;
}
|| requires(HookArguments<P> a) {
  { a.protocol.Valid(a.action) } -> std::same_as<bool>;
};
template <class P>
concept FitsWake = requires(HookArguments<P> a, typename P::State state, Life life) {
  { a.protocol.Wake(a.node, std::move(state), life) } -> std::same_as<typename LiveOf<P>::type>;
};

}  // namespace foretell::model
