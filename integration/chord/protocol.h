#pragma once

// Chord's join (Stoica et al., SIGCOMM 2001) as DEMETER checks it (section 5.1): node 0 is the
// ring, the others join through it at any time, each with at most one timeout. Every execution is
// finite.

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::chord {

inline constexpr uint32_t kNodesMax = 3;

enum class Bug : uint8_t {
  kNone,
  kAnyPredecessor,  // Whoever notifies is taken for the predecessor.
  kOwnRing,         // A timeout makes a node that wants to join found a ring.
};

enum class Phase : uint8_t { kOutside, kJoining, kMember };

struct State {
  Phase phase = Phase::kOutside;
  bool asking = false;       // A member that waits for its successor's predecessor.
  bool may_time_out = true;  // Once.
  uint32_t rounds_left = 0;  // Of stabilisation, beyond the one that belongs to joining.
  bool finger_due = true;    // The finger is looked up once.
  model::NodeId successor;   // Of members; else itself.
  std::optional<model::NodeId> predecessor;
  std::optional<model::NodeId> finger;  // The successor of half way round, as far as was known.
  FORETELL_FIELDS(phase, asking, may_time_out, rounds_left, finger_due, successor, predecessor,
                  finger)
};

// Asks for the successor of `joiner`. Goes round until somebody knows.
struct FindSuccessor {
  model::NodeId joiner;
  FORETELL_FIELDS(joiner)
};
struct FoundSuccessor {
  model::NodeId successor;
  FORETELL_FIELDS(successor)
};
struct GetPredecessor {};
struct Predecessor {
  std::optional<model::NodeId> predecessor;
  FORETELL_FIELDS(predecessor)
};
// The sender may be the receiver's predecessor.
struct Notify {};

struct Join {};
struct Timeout {};
struct Stabilize {};
struct FixFinger {};

struct Protocol {
  using State = chord::State;
  using Message = std::variant<FindSuccessor, FoundSuccessor, GetPredecessor, Predecessor, Notify>;
  using Action = std::variant<Join, Timeout, Stabilize, FixFinger>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  uint32_t nodes = 2;                            // At most kNodesMax.
  std::array<uint32_t, kNodesMax> rounds_max{};  // Of periodic stabilisation, by node.

  uint32_t node_count() const { return nodes; }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  void Handle(State& state, model::NodeId from, const FindSuccessor& message,
              Context& context) const;
  void Handle(State& state, model::NodeId from, const FoundSuccessor& message,
              Context& context) const;
  void Handle(State& state, model::NodeId from, const GetPredecessor& message,
              Context& context) const;
  void Handle(State& state, model::NodeId from, const Predecessor& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Notify& message, Context& context) const;
  void Run(State& state, const Join& action, Context& context) const;
  void Run(State& state, const Timeout& action, Context& context) const;
  void Run(State& state, const Stabilize& action, Context& context) const;
  void Run(State& state, const FixFinger& action, Context& context) const;
};

}  // namespace foretell::integration::chord
