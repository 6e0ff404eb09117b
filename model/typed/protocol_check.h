#pragma once

// Checks a protocol when it is compiled. A hook that is there but does not fit, or that is nearly
// called right, would be ignored without a word, and the checker would call a service correct whose
// handlers never ran. Every rule is one sentence with the signature that was expected.

#include <type_traits>

#include "foretell/model/typed/field_type.h"
#include "foretell/model/typed/hook_table.h"
#include "foretell/model/typed/hooks.h"
#include "foretell/model/typed/member.h"
#include "foretell/model/typed/protocol_types.h"

namespace foretell::model {

#define FORETELL_DECLARE_(NAME, ...) FORETELL_HAS_MEMBER_(NAME)
FORETELL_HOOKS_(FORETELL_DECLARE_)
FORETELL_NEAR_HOOKS_(FORETELL_DECLARE_)
FORETELL_HAS_MEMBER_(kNodes)

template <class P>
constexpr bool HasNoNodes() {
  if constexpr (HaskNodes<P>) {
    return P::kNodes <= 0;
  } else if constexpr (requires { typename std::bool_constant<(P{}.node_count() == 0)>; }) {
    return P{}.node_count() == 0;
  }
  return false;
}
template <class P>
inline constexpr bool kIsWrapper = requires {
  typename P::Live;
};
// What nodes send would go unnoticed under another name.
template <class P>
inline constexpr bool kNamesMessage = requires {
  typename P::Message;
}
|| !requires { typename P::Messages; };
template <class P>
inline constexpr bool kHasTypes = kNamesMessage<P>&& requires {
  typename P::State;
};

// Rules about what must be there: RULE(condition, text).
#define FORETELL_RULES_(RULE)                                                                      \
  RULE((Hasnode_count<P> || HaskNodes<P> || !kTalks<P>),                                           \
       "a protocol says how many nodes there are: uint32_t node_count() const, or static "         \
       "constexpr "                                                                                \
       "uint32_t kNodes")                                                                          \
  RULE(!HasNoNodes<P>(), "a system has at least one node: node_count() is 0")                      \
  RULE(HasInvariants<P>,                                                                           \
       "a protocol says what must hold: std::vector<TypedInvariant<State>> Invariants() const")    \
  RULE((HasOnMessage<P> || !kTalks<P>),                                                            \
       "OnMessage is missing: void OnMessage(State& state, NodeId from, const Message& message, "  \
       "Context<Message>& context) const")                                                         \
  RULE(                                                                                            \
      (!kActs<P> || HasActions<P> || HasCan<P>),                                                   \
      "there is an Action, but no Actions to enable it: std::vector<Action> Actions(NodeId node, " \
      "const State& state) const, or bool Can(NodeId node, const State& state, Kind) const")       \
  RULE((!kActs<P> || HasOnAction<P>),                                                              \
       "there is an Action, but no OnAction to handle it: void OnAction(State& state, const "      \
       "Action& "                                                                                  \
       "action, Context<Message>& context) const")                                                 \
  RULE((kActs<P> || (!HasActions<P> && !HasOnAction<P> && !HasCan<P>)),                            \
       "there are Actions, Can or OnAction, but no Action: using Action = ...;")                   \
  RULE((!HasActions<P> || !HasCan<P>),                                                             \
       "there are both Actions and Can: only one of them says what is possible")                   \
  RULE((kTalks<P> || !HasOnMessage<P>),                                                            \
       "there is an OnMessage, but no Message: using Message = ...;")                              \
  RULE((!kIsWrapper<P> || FitsWake<P>),                                                            \
       "Live needs Wake to make one: Live Wake(NodeId node, State state, Life life) const")

#define FORETELL_SAY_TEXT_(CONDITION, TEXT) static_assert(CONDITION, TEXT);
#define FORETELL_SAY_FIT_(HOOK, FITS, SIGNATURE) \
  static_assert(!Has##HOOK<P> || FITS<P>, #HOOK " is there but does not fit: " SIGNATURE);
// With the right one there as well, the other is something else.
#define FORETELL_SAY_NEAR_(WRONG, RIGHT)         \
  static_assert(!Has##WRONG<P> || Has##RIGHT<P>, \
                #WRONG " is no hook and would never be called: did you mean " #RIGHT "?");

template <class P>
struct ProtocolTypes {
  static_assert(
      requires { typename P::State; },
      "a protocol says what the state of a node is: struct State { ... };");
  static_assert(kNamesMessage<P>, "Messages is no type that is looked for: did you mean Message?");
};

template <class P>
struct HookNames {
  FORETELL_NEAR_HOOKS_(FORETELL_SAY_NEAR_)
};
template <class P>
struct HookSignatures {
  FORETELL_HOOKS_(FORETELL_SAY_FIT_)
};
template <class P>
struct ProtocolRules {
  FORETELL_RULES_(FORETELL_SAY_TEXT_)
};

#define FORETELL_AND_TEXT_(CONDITION, TEXT) &&(CONDITION)
#define FORETELL_AND_FIT_(HOOK, FITS, SIGNATURE) &&(!Has##HOOK<P> || FITS<P>)
#define FORETELL_AND_NEAR_(WRONG, RIGHT) &&(!Has##WRONG<P> || Has##RIGHT<P>)

template <class P>
inline constexpr bool kNamesHooks = true FORETELL_NEAR_HOOKS_(FORETELL_AND_NEAR_);
template <class P>
inline constexpr bool kFitsHooks = true FORETELL_HOOKS_(FORETELL_AND_FIT_);
template <class P>
inline constexpr bool kKeepsRules = true FORETELL_RULES_(FORETELL_AND_TEXT_);

// True iff P can be a service.
template <class P>
inline constexpr bool kIsProtocol = false;
template <class P>
requires kHasTypes<P>
inline constexpr bool kIsProtocol<P> = kNamesHooks<P> && kFitsHooks<P> && kKeepsRules<P>;

// Does not compile unless kIsProtocol. Nothing else of P should be compiled then: it would say the
// same again in a hundred lines. Likewise a hook by another name, which is missing as well, is told
// once.
template <class P>
void RequireProtocol() {
  static_cast<void>(sizeof(ProtocolTypes<P>));
  if constexpr (!kHasTypes<P>) {
    return;
  } else if constexpr (!kNamesHooks<P>) {
    static_cast<void>(sizeof(HookNames<P>));
  } else if constexpr (!kFitsHooks<P>) {
    static_cast<void>(sizeof(HookSignatures<P>));
  } else {
    static_cast<void>(sizeof(ProtocolRules<P>));
  }
}

}  // namespace foretell::model
