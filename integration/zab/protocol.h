#pragma once

// Zab, the atomic broadcast of ZooKeeper (Junqueira, Reed, Serafini), as in Table I of the DBSS
// paper: prospective leaders, and followers each of which chooses one of them, once. Discovery
// finds an epoch, synchronisation a common history, and then the leader broadcasts at most one
// transaction. As Zab wants it, channels are first in, first out.
//
// Nobody ever gives up on a leader. Three followers of three different leaders wait for ever: Zab
// as such is not live, which is the table's point.

#include <compare>
#include <cstdint>
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

namespace foretell::integration::zab {

enum class Bug : uint8_t {
  kNone,
  kNoMajority,    // A leader is content with one follower.
  kFirstHistory,  // A leader takes the first history that it hears of, not the longest.
};

enum class Phase : uint8_t { kDiscovers, kCollects, kSynchronises, kBroadcasts };

// A transaction, and all before it: a history by its end.
struct Zxid {
  uint32_t epoch = 0;
  uint32_t counter = 0;
  friend auto operator<=>(const Zxid&, const Zxid&) = default;
  FORETELL_FIELDS(epoch, counter)
};

struct Leader {
  Phase phase = Phase::kDiscovers;
  uint32_t epoch = 0;
  Zxid history;
  Zxid committed;
  std::set<model::NodeId> got;        // Who has answered in this phase, or to the proposal.
  std::set<model::NodeId> followers;  // Who takes part in the broadcast.
  bool submitted = false;
  FORETELL_FIELDS(phase, epoch, history, committed, got, followers, submitted)
};

struct Follower {
  std::optional<model::NodeId> leader;
  uint32_t promised = 0;  // The epoch of the last NewEpoch that was taken,
  uint32_t epoch = 0;     // and of the last NewLeader.
  Zxid history;
  Zxid delivered;
  FORETELL_FIELDS(leader, promised, epoch, history, delivered)
};

// Follower to leader and back, by phase: CEPOCH, NEWEPOCH, ACK-E, NEWLEADER, ACK-LD, COMMIT-LD.
struct Cepoch {
  uint32_t promised = 0;
  FORETELL_FIELDS(promised)
};
struct NewEpoch {
  uint32_t epoch = 0;
  FORETELL_FIELDS(epoch)
};
struct AckEpoch {
  Zxid history;
  FORETELL_FIELDS(history)
};
struct NewLeader {
  uint32_t epoch = 0;
  Zxid history;
  FORETELL_FIELDS(epoch, history)
};
struct AckLeader {};
// Also for transactions that are broadcast.
struct Commit {
  Zxid upto;
  FORETELL_FIELDS(upto)
};
struct Proposal {
  Zxid zxid;
  FORETELL_FIELDS(zxid)
};
struct AckProposal {
  Zxid zxid;
  FORETELL_FIELDS(zxid)
};
using Message =
    std::variant<Cepoch, NewEpoch, AckEpoch, NewLeader, AckLeader, Commit, Proposal, AckProposal>;

// A node plays one part; the other stays as it is.
struct State {
  Leader leader;
  Follower follower;
  // The message that came last, for people; what tells naive search from decomposed (DBSS).
  model::Auxiliary<std::optional<Message>> last;
  FORETELL_FIELDS(leader, follower, last)
};

// A follower chooses whom to follow.
struct Follow {};
// An application hands a transaction to the leader.
struct Submit {};

struct Protocol {
  using State = zab::State;
  using Message =
      std::variant<Cepoch, NewEpoch, AckEpoch, NewLeader, AckLeader, Commit, Proposal, AckProposal>;
  using Action = std::variant<Follow, Submit>;
  using Context = model::Context<Message>;

  uint32_t leaders = 3;
  uint32_t followers = 3;
  Bug bug = Bug::kNone;

  uint32_t node_count() const { return leaders + followers; }
  std::string Role(model::NodeId node) const { return IsLeader(node) ? "leader" : "follower"; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  // Followers are not: each brings a history of its own along.
  std::vector<std::vector<model::NodeId>> Interchangeable() const {
    return {model::NodesFrom(0, leaders)};
  }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  bool IsLeader(model::NodeId node) const { return node.value() < leaders; }
  uint32_t majority() const { return bug == Bug::kNoMajority ? 1 : followers / 2 + 1; }
  // Takes note of an answer in `phase`. True if it is time to answer all who have answered, with
  // `phase` over; false if `from` came too late or is not enough.
  bool Completes(Leader& leader, Phase phase, model::NodeId from) const;
  void Welcome(Leader& leader, model::NodeId follower, Context& context) const;

  void Handle(State& state, model::NodeId from, const Cepoch& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const NewEpoch& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const AckEpoch& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const NewLeader& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const AckLeader& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Commit& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Proposal& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const AckProposal& message, Context& context) const;
};

}  // namespace foretell::integration::zab
