#pragma once

// One instance of Paxos at one node: proposer, acceptor and learner of a single log index. No
// network here: each handler returns what is to be sent, so that other protocols can run Paxos as
// a lower layer.

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/integration/paxos/messages.h"
#include "foretell/model/id.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::paxos {

enum class Bug : uint8_t {
  kNone,
  kLastResponse,    // LMC section 5.5: follows the last promise, not that of the highest ballot.
  kForgetsPromise,  // DEMETER section 5.3, first bug: a restarted acceptor knows nothing.
  kFirstValue,  // DEMETER section 5.3, second bug: follows the first accepted value it hears of.
};

// The settings that all nodes agree on beforehand.
struct Rules {
  uint32_t node_count = 3;
  Bug bug = Bug::kNone;
  // Single-decree: a proposer has one ballot, its number + 1, however late it comes with it.
  bool single_decree = false;
  uint32_t majority() const { return node_count / 2 + 1; }
};

struct Acceptor {
  uint32_t promised = 0;
  Vote accepted;
  FORETELL_FIELDS(promised, accepted)
};

enum class Phase : uint8_t { kIdle, kPreparing, kAccepting };

struct Proposer {
  Phase phase = Phase::kIdle;
  uint32_t ballot = 0;  // Outlives a crash: one ballot must never carry two values.
  uint32_t value = 0;   // Its own while preparing; what it asks to accept afterwards.
  Vote adopted;         // While preparing: the accepted value that overrides its own.
  model::NodeSet promised_by;
  FORETELL_FIELDS(phase, ballot, value, adopted, promised_by)
};

// The nodes that said they had accepted in one ballot.
struct Tally {
  uint32_t ballot = 0;
  uint32_t value = 0;
  model::NodeSet accepted_by;
  FORETELL_FIELDS(ballot, value, accepted_by)
};

struct Learner {
  std::vector<Tally> tallies;  // By rising ballot.
  uint32_t chosen = 0;         // Stays what it became first.
  FORETELL_FIELDS(tallies, chosen)
};

struct Decree {
  uint32_t index = 0;
  Acceptor acceptor;
  Proposer proposer;
  Learner learner;
  FORETELL_FIELDS(index, acceptor, proposer, learner)
};

// Starts a ballot of `self` for `value`: `self` + 1, or, unless single-decree, the first of its own
// above all that this node has seen. The Prepare goes to all nodes.
Prepare StartBallot(Decree& decree, model::NodeId self, uint32_t value, const Rules& rules);
// The Promise goes to the sender.
std::optional<Promise> OnPrepare(Decree& decree, const Prepare& prepare);
// The Accept goes to all nodes.
std::optional<Accept> OnPromise(Decree& decree, model::NodeId from, const Promise& promise,
                                const Rules& rules);
// The Learn goes to all nodes.
std::optional<Learn> OnAccept(Decree& decree, const Accept& accept);
void OnLearn(Decree& decree, model::NodeId from, const Learn& learn, const Rules& rules);

// The part of `decree` that survives a crash.
Decree SurvivorOf(const Decree& decree, const Rules& rules);

}  // namespace foretell::integration::paxos
