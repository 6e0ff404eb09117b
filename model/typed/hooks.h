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
#include "foretell/model/typed/kind.h"
#include "foretell/model/typed/member.h"
#include "foretell/model/typed/protocol_types.h"

namespace foretell::model {

// Arguments of hooks, as they are called.
template <class P>
struct HookArguments {
  using State = typename P::State;
  using Message = typename MessageOf<P>::type;
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

// Without messages or actions there is nothing for their hooks to fit, which is another rule.
template <class P>
inline constexpr bool kTalks = !std::is_same_v<typename MessageOf<P>::type, None>;
template <class P>
inline constexpr bool kActs = requires {
  typename P::Action;
};

// A hook changes the state it is given: taken by value it would change a copy. This stands for a
// state that binds to a reference and cannot be copied into a value.
template <class Body>
struct Bound {
  operator Body&() const;
  operator Body() const = delete;
};
template <class P>
using BoundBody = Bound<typename LiveOf<P>::type>;

template <class P>
struct HandlesMessage {
  template <class Kind>
  struct Of {
    static constexpr bool value = requires(HookArguments<P> a, BoundBody<P> bound, const Kind& m) {
      { a.protocol.OnMessage(a.body, a.node, m, a.context) } -> std::same_as<void>;
      a.protocol.OnMessage(bound, a.node, m, a.context);
    };
  };
};
template <class P>
struct HandlesAction {
  template <class Kind>
  struct Of {
    static constexpr bool value = requires(HookArguments<P> a, BoundBody<P> bound, const Kind& m) {
      { a.protocol.OnAction(a.body, m, a.context) } -> std::same_as<void>;
      a.protocol.OnAction(bound, m, a.context);
    };
  };
};

// An OnMessage, or OnAction, that is overloaded or a template: the kind of what is handled decides.
// One that takes a whole Message may be among them, for the rest.
template <class P>
inline constexpr bool kHandlesMessageKinds = !requires {
  &P::OnMessage;
}
&&KindsOf<typename MessageOf<P>::type>::template kAll<HandlesMessage<P>::template Of>;
template <class P>
inline constexpr bool kHandlesActionKinds = !requires {
  &P::OnAction;
}
&&KindsOf<typename ActionOf<P>::type>::template kAll<HandlesAction<P>::template Of>;

template <class P>
concept FitsOnMessage = !kTalks<P> || kHandlesMessageKinds<P> ||
                        HandlesMessage<P>::template Of<typename HookArguments<P>::Message>::value;
template <class P>
concept FitsOnAction = !kActs<P> || kHandlesActionKinds<P> ||
                       HandlesAction<P>::template Of<typename HookArguments<P>::Action>::value;
template <class P>
concept FitsOnRestart = requires(HookArguments<P> a, BoundBody<P> bound) {
  { a.protocol.OnRestart(a.body, a.context) } -> std::same_as<void>;
  a.protocol.OnRestart(bound, a.context);
};
template <class P>
concept FitsOnBreak = requires(HookArguments<P> a, BoundBody<P> bound) {
  { a.protocol.OnBreak(a.body, a.node, a.context) } -> std::same_as<void>;
  a.protocol.OnBreak(bound, a.node, a.context);
};

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
struct Offers {
  template <class Kind>
  struct Of {
    static constexpr bool value = std::is_empty_v<Kind> && requires(HookArguments<P> a) {
      { a.protocol.Can(a.node, a.state, Kind{}) } -> std::same_as<bool>;
    };
  };
};
template <class P>
concept FitsCan =
    !kActs<P> || KindsOf<typename ActionOf<P>::type>::template kAll<Offers<P>::template Of>;
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
    } -> std::same_as<std::vector<TypedImagined<typename P::State, typename MessageOf<P>::type>>>;
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
