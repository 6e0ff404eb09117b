#pragma once

// 1Paxos (LMC section 5.6): one leader proposes to one active acceptor, whose word is final. Who
// they are is decided by PaxosUtility, which is Paxos itself as a lower layer. One index of the
// replicated log is modelled: indexes do not interact, and states are fewer.
//
// Why it is safe. An acceptor keeps the first value it takes, and from then on ignores leaders
// older than the newest it has served. A leader may replace the acceptor only when it knows what
// the old one can have accepted: the chosen value, or, for the first leader, its own proposal. The
// entry carries that value to all later leaders.

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "foretell/integration/onepaxos/entry.h"
#include "foretell/integration/paxos/messages.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::onepaxos {

// Leader to acceptor.
struct Propose {
  uint32_t epoch = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(epoch, value)
};

// Acceptor to all.
struct Learn {
  uint32_t value = 0;
  FORETELL_FIELDS(value)
};

// A message of the lower layer.
struct Utility {
  paxos::Message message;
  FORETELL_FIELDS(message)
};

// Causes of a node's own actions: the application proposes, the fault detector fires.
enum class Cause : uint8_t { kPropose, kSuspectLeader, kSuspectAcceptor };

struct Protocol {
  struct State {
    uint32_t proposals_left = 0;
    uint32_t suspicions_left = 0;
    View view;              // The roles as this node believes them.
    uint32_t proposed = 0;  // As leader: what it last sent to an acceptor.
    Propose accepted;       // As acceptor: its value, and the newest epoch it has served.
    uint32_t chosen = 0;    // Stays what it became first.
    paxos::Log utility;
    FORETELL_FIELDS(proposals_left, suspicions_left, view, proposed, accepted, chosen, utility)
  };
  struct Action {
    static constexpr const char* kName = "Start";
    Cause cause = Cause::kPropose;
    FORETELL_FIELDS(cause)
  };
  using Message = std::variant<Propose, Learn, Utility>;

  bool acceptor_is_leader = false;  // The bug: `acceptor = *(members.begin()++)`.
  std::array<uint32_t, kNodes> proposals_max = {};
  std::array<uint32_t, kNodes> suspicions_max = {};

  uint32_t node_count() const { return kNodes; }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;
  model::ActionTiming Timing(const Action& action) const;
  // All that a live node may still do in its whole life is too much for one check: at most one
  // proposal and one suspicion per node, at one node alone first.
  std::vector<Imagined> Imagine(const Cut& live) const;
};

}  // namespace foretell::integration::onepaxos
