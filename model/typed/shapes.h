#pragma once

// Invariants in the shapes they usually have, said in the positive: what must hold.
//
//   AtMostOne("one-holder", "No two clients hold the lock.", &State::holds)
//   AtMostOne("one-leader", "No two leaders of a term.", [](const State& s) {
//     return s.leads ? std::optional(s.term) : std::nullopt; })
//   Agreement("agreement", "No two nodes choose different values.", &State::chosen)
//   Always("bounded", "No queue is longer than three.", [](const State& s) {
//     return s.queue.size() <= 3; })
//   Never("stuck", "No node gives up.", &State::gave_up)
//   Eventually("decides", "Every node decides.", [](const State& s) { return s.chosen.has_value();
//   }) Reaches("granted", "Somebody gets the lock.", &State::holds)
//
// The text may be left out where the name says it all: Never("stuck", &State::gave_up).
// The last argument is a member of the state, or a function of the state or of NodeId and state.
// Stable(...) around one claims that once broken it stays broken, see InvariantInfo::stable.

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "foretell/model/typed/invariant.h"

namespace foretell::model {

// The state that a member or a function looks at, and what it returns.
template <class T>
struct Look {};
template <class S, class M>
requires std::is_member_object_pointer_v<M S::*>
struct Look<M S::*> {
  using State = S;
  using Result = M;
};
template <class R, class F, class S>
struct Look<R (F::*)(S) const> {
  using State = std::remove_cvref_t<S>;
  using Result = std::remove_cvref_t<R>;
};
template <class R, class F, class S>
struct Look<R (F::*)(NodeId, S) const> : Look<R (F::*)(S) const> {};
template <class F>
requires requires { &F::operator(); }
struct Look<F> : Look<decltype(&F::operator())> {};

template <class F>
using StateSeen = typename Look<F>::State;
template <class F>
using ResultSeen = typename Look<F>::Result;

template <class F>
concept LooksAtState = requires {
  typename StateSeen<F>;
}
&&(std::is_invocable_v<const F&, const StateSeen<F>&> ||
   std::is_invocable_v<const F&, NodeId, const StateSeen<F>&>);
template <class T>
inline constexpr bool kIsBool = std::is_same_v<T, bool>;
template <class F>
concept AsksState = LooksAtState<F> && kIsBool<ResultSeen<F>>;

// What a shape becomes of anything else: one sentence, and nothing that more could be said about.
struct NoInvariant {
  template <class State>
  operator TypedInvariant<State>() const {
    return {};
  }
};
#define FORETELL_REFUSE_(SHAPE, TEXT)                                                    \
  template <class F, class... T>                                                         \
  requires(!kIsText<F>) NoInvariant SHAPE(F, T...) {                                     \
    static_assert(std::is_void_v<F>,                                                     \
                  #SHAPE " begins with a name: " #SHAPE "(name, text, &State::member)"); \
    return {};                                                                           \
  }                                                                                      \
  template <class F>                                                                     \
  NoInvariant SHAPE(std::string, std::string, F) {                                       \
    static_assert(std::is_void_v<F>, #SHAPE " " TEXT);                                   \
    return {};                                                                           \
  }                                                                                      \
  template <class F>                                                                     \
  NoInvariant SHAPE(std::string name, F look) {                                          \
    return SHAPE(std::move(name), std::string(), look);                                  \
  }
#define FORETELL_REFUSE_LOOK_(SHAPE)                                                     \
  FORETELL_REFUSE_(SHAPE,                                                                \
                   "looks at a state: its last argument is a member, &State::leads, or " \
                   "a lambda of const State& (not of auto)")
#define FORETELL_REFUSE_ASK_(SHAPE)                                                          \
  FORETELL_REFUSE_(SHAPE,                                                                    \
                   "asks a state yes or no: its last argument is a bool, &State::holds, or " \
                   "a lambda of const State& (not of auto) that returns a bool")
FORETELL_REFUSE_LOOK_(AtMostOne)
FORETELL_REFUSE_LOOK_(Agreement)
FORETELL_REFUSE_ASK_(Always)
FORETELL_REFUSE_ASK_(Never)
FORETELL_REFUSE_ASK_(Eventually)
FORETELL_REFUSE_ASK_(Reaches)

// What `look` sees, as a key: a bool counts where it is true, an optional where it has a value,
// anything else always.
template <class T>
struct KeyOf {
  using type = T;
  static std::optional<T> Of(T value) { return value; }
};
template <>
struct KeyOf<bool> {
  using type = bool;
  static std::optional<bool> Of(bool value) { return value ? std::optional(true) : std::nullopt; }
};
template <class T>
struct KeyOf<std::optional<T>> {
  using type = T;
  static std::optional<T> Of(std::optional<T> value) { return value; }
};
template <class F>
using KeySeen = typename KeyOf<ResultSeen<F>>::type;

template <class F>
ResultSeen<F> See(const F& look, NodeId node, const StateSeen<F>& state) {
  if constexpr (std::is_invocable_v<const F&, NodeId, const StateSeen<F>&>) {
    return look(node, state);
  } else {
    return std::invoke(look, state);
  }
}

template <class F>
Projection<StateSeen<F>, KeySeen<F>> KeyProjection(F look) {
  return [look](NodeId node, const StateSeen<F>& state) {
    return KeyOf<ResultSeen<F>>::Of(See(look, node, state));
  };
}

// Violated if two nodes have equal values, or else if they have different ones.
template <LooksAtState F>
auto Comparison(InvariantInfo info, F look, bool violated_if_equal) {
  using Key = KeySeen<F>;
  constexpr bool kCompares = requires(const Key& a, const Key& b) {
    { a == b } -> std::convertible_to<bool>;
  };
  static_assert(kCompares,
                "AtMostOne and Agreement compare what they look at: give the struct "
                "bool operator==(const Name&) const = default;");
  return PairInvariant<StateSeen<F>, Key>(std::move(info), KeyProjection(look),
                                          [violated_if_equal](const Key& a, const Key& b) {
                                            if constexpr (!kCompares)
                                              return false;
                                            else
                                              return (a == b) == violated_if_equal;
                                          });
}

// At most one node at a time; with optionals, at most one for each value.
template <LooksAtState F>
auto AtMostOne(std::string name, std::string text, F look) {
  return Comparison({.name = std::move(name), .text = std::move(text)}, look, true);
}

// All nodes that have a value have the same.
template <LooksAtState F>
auto Agreement(std::string name, std::string text, F look) {
  static_assert(!kIsBool<ResultSeen<F>>,
                "Agreement on a bool always holds, for a bool counts where it is true: look at an "
                "optional, which has a value where the node has decided");
  return Comparison({.name = std::move(name), .text = std::move(text)}, look, false);
}

template <AsksState F>
TypedInvariant<StateSeen<F>> NodeShape(InvariantInfo info, F look, bool violated_if) {
  return NodeInvariant<StateSeen<F>, bool>(
      std::move(info),
      [look](NodeId node, const StateSeen<F>& state) {
        return std::optional(See(look, node, state));
      },
      [violated_if](bool seen) { return seen == violated_if; });
}

// At every node, in every state.
template <AsksState F>
auto Always(std::string name, std::string text, F look) {
  return NodeShape({.name = std::move(name), .text = std::move(text)}, look, false);
}
template <AsksState F>
auto Never(std::string name, std::string text, F look) {
  return NodeShape({.name = std::move(name), .text = std::move(text)}, look, true);
}
// At every node, sooner or later. Checkers of safety skip it.
template <AsksState F>
auto Eventually(std::string name, std::string text, F look) {
  return NodeShape({.name = std::move(name), .text = std::move(text), .eventually = true}, look,
                   false);
}

// Not an invariant: some node gets there in some run, or the check says little. A complete search
// that never saw it says so.
template <AsksState F>
auto Reaches(std::string name, std::string text, F look) {
  auto goal = NodeInvariant<StateSeen<F>, bool>({.name = std::move(name), .text = std::move(text)},
                                                KeyProjection(look), [](bool) { return false; });
  goal.goal = true;
  return goal;
}

// Without a text, what the shape says.
#define FORETELL_DEFAULT_TEXT_(SHAPE, CONCEPT, TEXT)        \
  template <CONCEPT F>                                      \
  auto SHAPE(std::string name, F look) {                    \
    return SHAPE(std::move(name), std::string(TEXT), look); \
  }
FORETELL_DEFAULT_TEXT_(AtMostOne, LooksAtState, "At most one node at a time.")
FORETELL_DEFAULT_TEXT_(Agreement, LooksAtState, "All nodes that have a value have the same.")
FORETELL_DEFAULT_TEXT_(Always, AsksState, "Every node, in every state.")
FORETELL_DEFAULT_TEXT_(Never, AsksState, "No node, in any state.")
FORETELL_DEFAULT_TEXT_(Eventually, AsksState, "Every node, sooner or later.")
FORETELL_DEFAULT_TEXT_(Reaches, AsksState, "Some node, in some run.")

// Must hold only where the system has come to its end: nothing is in flight, and no node can do
// anything. That nobody is still waiting then is what is called freedom from deadlock:
//   WhenStuck(Always("all-served", "Nobody waits for ever.", &State::served))
template <class State>
TypedInvariant<State> WhenStuck(TypedInvariant<State> invariant) {
  invariant.info.when_stuck = true;
  return invariant;
}

template <class State>
TypedInvariant<State> Stable(TypedInvariant<State> invariant) {
  invariant.info.stable = true;
  return invariant;
}

}  // namespace foretell::model
