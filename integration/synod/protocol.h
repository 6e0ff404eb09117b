#pragma once

// Paxos with its roles apart, as in Table I of the DBSS paper (Saissi et al.): proposers, acceptors
// and one learner are nodes of their own. A proposer proposes once, its own number as ballot and
// value. Who is told something of no use takes note of nothing.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::synod {

// Of the first acceptor.
enum class Bug : uint8_t {
  kNone,
  kAcceptsAll,    // It accepts whatever it promised (Faulty-Paxos).
  kLastAccepted,  // It remembers what it accepted last, not what has the highest ballot.
};

enum class Phase : uint8_t { kIdle, kReads, kWrites };

// A ballot and its value.
struct Vote {
  uint32_t ballot = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(ballot, value)
};

struct Proposer {
  Phase phase = Phase::kIdle;
  std::set<model::NodeId> got;  // Whose answers have come; forgotten once they are enough.
  std::optional<Vote> best;     // The highest of what they accepted, likewise.
  uint32_t value = 0;           // That it writes.
  FORETELL_FIELDS(phase, got, best, value)
};

struct Acceptor {
  uint32_t promised = 0;  // By a Read. A Write does not raise it ("Paxos Made Simple").
  std::optional<Vote> accepted;
  FORETELL_FIELDS(promised, accepted)
};

struct Learner {
  std::map<uint32_t, std::set<model::NodeId>> got;  // By ballot; forgotten once they are enough.
  std::map<uint32_t, uint32_t> learned;             // By ballot.
  FORETELL_FIELDS(got, learned)
};

// Proposer to acceptor.
struct Read {
  uint32_t ballot = 0;
  FORETELL_FIELDS(ballot)
};
// Acceptor to proposer: the promise for `ballot`.
struct ReadRepl {
  uint32_t ballot = 0;
  std::optional<Vote> accepted;
  FORETELL_FIELDS(ballot, accepted)
};
// Proposer to acceptor.
struct Write {
  Vote vote;
  FORETELL_FIELDS(vote)
};
// Acceptor to learner.
struct Accept {
  Vote vote;
  FORETELL_FIELDS(vote)
};
using Message = std::variant<Read, ReadRepl, Write, Accept>;

// A node plays one part; the others stay as they are.
struct State {
  Proposer proposer;
  Acceptor acceptor;
  Learner learner;
  // The message that came last, for people; what tells naive search from decomposed (DBSS).
  model::Auxiliary<std::optional<Message>> last;
  FORETELL_FIELDS(proposer, acceptor, learner, last)
};

struct Propose {};

struct Protocol {
  using State = synod::State;
  using Message = synod::Message;
  using Action = Propose;
  using Context = model::Context<Message>;

  uint32_t proposers = 2;
  uint32_t acceptors = 3;
  Bug bug = Bug::kNone;

  uint32_t node_count() const { return proposers + acceptors + 1; }
  std::string Role(model::NodeId node) const;
  // The acceptors, but for a faulty one. Proposers are not: their ballots have an order.
  std::vector<std::vector<model::NodeId>> Interchangeable() const {
    return {model::NodesFrom(proposers + (bug == Bug::kNone ? 0 : 1), proposers + acceptors)};
  }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  bool Enough(const std::set<model::NodeId>& got) const { return got.size() > acceptors / 2; }
  bool IsProposer(model::NodeId node) const { return node.value() < proposers; }
  bool IsFaulty(model::NodeId node) const { return node.value() == proposers; }
  void ToAcceptors(const Message& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Read& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const ReadRepl& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Write& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Accept& message, Context& context) const;
};

}  // namespace foretell::integration::synod
