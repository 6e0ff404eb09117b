#pragma once

// PAM (DEMETER section 5): single-decree Paxos as in the textbook. Every node is proposer, acceptor
// and learner. Ballots 1, 2, ... belong to nodes 0, 1, ... in turn; a node starts one of its own
// at most once, for a value of its own, and another one only if a higher ballot has got in between.
// Acceptors do not answer to ballots that are too old, and proposers do not look at answers beyond
// the majority. A proposer is its own acceptor without messages, unless it is as unoptimised as the
// paper's: then it sends to itself whatever it sends to others.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::pam {

// An accepted value.
struct Vote {
  uint32_t ballot = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(ballot, value)
};

enum class Phase : uint8_t { kIdle, kPrepares, kProposes, kDone };

// The planted bugs; both are from DEMETER section 5.3.
enum class Bug : uint8_t {
  kNone,
  kForgetsOnRecovery,  // An acceptor restarts without promise and vote.
  kFirstValue,         // The first vote that a promise brings wins, not that of the highest ballot.
};

struct Protocol {
  struct State {
    uint32_t promised = 0;             // Acceptor. Survives a crash.
    std::optional<Vote> accepted;      // Acceptor. Survives a crash.
    uint32_t ballot = 0;               // Proposer: the last that it started. Survives a crash.
    Phase phase = Phase::kIdle;        // Proposer; a crash ends its ballot.
    model::NodeSet votes;              // Proposer: who answered in this phase.
    std::optional<Vote> best;          // Proposer, kPrepares: the vote to be taken over.
    std::optional<uint32_t> proposal;  // Proposer, kProposes.
    std::optional<uint32_t> decided;   // Learner. Survives a crash.
    FORETELL_FIELDS(promised, accepted, ballot, phase, votes, best, proposal, decided)
  };
  struct Prepare {
    uint32_t ballot = 0;
    FORETELL_FIELDS(ballot)
  };
  struct Promise {
    uint32_t ballot = 0;
    std::optional<Vote> accepted;
    FORETELL_FIELDS(ballot, accepted)
  };
  struct Accept {
    uint32_t ballot = 0;
    uint32_t value = 0;
    FORETELL_FIELDS(ballot, value)
  };
  struct Accepted {
    uint32_t ballot = 0;
    FORETELL_FIELDS(ballot)
  };
  struct Decided {
    uint32_t value = 0;
    FORETELL_FIELDS(value)
  };
  struct Propose {};
  using Message = std::variant<Prepare, Promise, Accept, Accepted, Decided>;
  using Action = Propose;

  uint32_t nodes = 3;
  uint32_t ballots_max = 2;
  uint8_t crashes_max = 0;  // Of node 1.
  bool loopback = false;    // A node sends to itself, too.
  Bug bug = Bug::kNone;

  uint32_t node_count() const { return nodes; }
  model::FaultBudget faults(model::NodeId node) const;
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  using Context = model::Context<Message>;
  uint32_t NextBallot(model::NodeId node, const State& state) const;
  bool IsMajority(model::NodeSet votes) const;
  void SendToOthers(const Message& message, Context& context) const;
  void SendToAcceptors(const Message& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Prepare& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Promise& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Accept& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Accepted& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Decided& message, Context& context) const;
};

}  // namespace foretell::integration::pam
