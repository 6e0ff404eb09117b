#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "foretell/dir/ids/numbered_table.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/interface_keys.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/conflicts.h"
#include "foretell/search/graphs/slot_set.h"

namespace foretell::dir {

inline constexpr uint32_t kNone = UINT32_MAX;

// Positions in a run.
using Positions = search::SlotSet;

// A message that may come from outside, as its receiver's component sees it.
struct Arrival {
  uint32_t number = 0;  // Of the delivery, in EventNumbers.
  // The message's name by all that the component can know of it: its content, its needs, and the
  // message before it in its queue.
  Signature identity;
  std::vector<Signature> needs;  // Interface transitions of the component that must come before.
  Signature previous;            // The arrival that must be received before; zero if none.
};

// An event that can happen next.
struct Candidate {
  model::NodeId node;
  model::EventId event;
  uint32_t number = 0;
  uint32_t flight = kNone;   // Delivery of a message in flight ...
  uint32_t arrival = kNone;  // ... or of one from outside.
  // True iff both are the same event, wherever they are found.
  bool Same(const Candidate& other) const {
    return number == other.number && arrival == other.arrival;
  }
};

// A transition of a run: section 4.1, where its place in the partial order is not a vector clock
// but the set of transitions before it. Clocks need threads; with exact dependencies the events of
// a node are no thread.
struct Transition {
  Candidate candidate;
  uint32_t outcome = 0;  // Index into the table's successors.
  model::StateId before;
  model::StateId after;
  Positions past;  // All transitions that this one depends on.
  bool interface = false;
  Signature signature;  // Interface only: its effect and its history.
  Signature received;   // Identity of the message, if it came from another component.
  uint32_t flights_before = 0;
};

// An execution of some nodes that can be taken back step by step. It keeps the partial order and
// the interface of what happens. The other nodes, if any, exist through arrivals only: a message
// from outside is there once the transitions it needs have happened, and nothing is replayed.
class Run {
 public:
  // The run of one component, or of all nodes. All outlive it.
  Run(const CheckSetting& setting, NumberedTable& table, std::span<const model::NodeId> inside);

  // The messages that may come from outside, from here on, each after those it must come after.
  // REQUIRES: nothing happened yet.
  void Enter(std::span<const Arrival> environment);

  // Appends the events that can happen next, in a fixed order.
  void Enabled(std::vector<Candidate>& candidates);
  // Appends messages whose receivers accept none.
  void Blocked(std::vector<Candidate>& candidates);
  // The delivery of a message that is in flight; nothing if it is not, or not next in its queue.
  // `received` is its identity if it came from another component, else zero.
  std::optional<Candidate> FindDelivery(model::EventId event, const Signature& received);
  bool EnabledIn(model::StateId state, const Candidate& candidate) const {
    return search::IsPossible(table_, candidate.node, state, candidate.event);
  }

  // Adds the transitions that `candidate` would depend on to `past`; positions whose order with it
  // is not implied by anything else are appended to `races`, latest first.
  void Order(const Candidate& candidate, Positions& past, std::vector<uint32_t>& races) const;
  // The last transition of the same node before `position` that `candidate` depends on, unless a
  // message forces that order; else kNone.
  uint32_t LatestBefore(const Candidate& candidate, uint32_t position) const;
  // The number of ways it can turn out.
  uint32_t Outcomes(const Candidate& candidate);
  void Apply(const Candidate& candidate, uint32_t outcome, const Positions& past) {
    Apply(candidate, outcome, past, ReceivedIdentity(candidate));
  }
  void Apply(const Candidate& candidate, uint32_t outcome);
  // For a message that this run does not know of: `received` is its identity.
  void Apply(const Candidate& candidate, uint32_t outcome, const Positions& past,
             const Signature& received);
  void Undo();

  uint32_t size() const { return size_; }
  const Transition& at(uint32_t position) const { return transitions_[position]; }
  model::StateId state(model::NodeId node) const { return states_[node.index()]; }
  // The signature of all interface transitions so far.
  const Signature& interface_signature() const { return interface_sum_; }
  // The signature of these and of all messages received from other components, that is, of the
  // local skeleton; and of the nodes that receive nothing any more. Two complete traces with the
  // same signature are complete in the same environments: those where nothing else can be received.
  Signature LocalSignature() const;
  // Appends the messages that `position` sent to another component, with what that component knows
  // of them.
  void Arrivals(uint32_t position, ComponentId to, std::vector<Arrival>& arrivals) const;
  // The sum of the identities of all messages to a component.
  Signature ArrivalsSignature(ComponentId to) const;

  // True iff the environment has the message. Messages from outside keep their numbers from one
  // environment to the next.
  bool MayArrive(uint32_t arrival) const { return environment_.Test(arrival); }
  // Appends the messages from outside that miss nothing, received ones included, in the order of
  // their numbers.
  void Ready(std::vector<uint32_t>& arrivals) const;
  const Arrival& arrival(uint32_t index) const { return arrivals_[index].arrival; }
  model::NodeId receiver(uint32_t arrival) const { return arrivals_[arrival].candidate.node; }
  model::MessageId message(uint32_t arrival) const {
    return arrivals_[arrival].candidate.event.message();
  }
  uint32_t FindArrival(const Signature& identity) const { return arrival_of_.at(identity); }
  // Appends deliveries of messages from outside that can be received next.
  void Arriving(std::vector<Candidate>& candidates) { Arriving(/*accepted=*/true, candidates); }
  // Adds the transitions that must have happened before a message from outside is there.
  void Needed(uint32_t arrival, Positions& past) const;

 private:
  struct Flight {
    model::MessageId message;
    uint32_t sent_at = kNone;  // kNone: in flight from the start.
    Signature identity;        // Only if it crosses an interface.
    bool crosses = false;
  };
  struct PendingArrival {
    Candidate candidate;
    Arrival arrival;
    uint32_t previous = kNone;
    std::vector<uint32_t> met;  // Positions of needed transitions that have happened.
    bool gone = false;
    bool ready() const { return met.size() == arrival.needs.size(); }
  };

  uint32_t AddArrival(const Arrival& arrival);
  void Deliveries(model::NodeId node, std::vector<Candidate>& candidates);
  void Arriving(bool accepted, std::vector<Candidate>& candidates);
  bool SameQueue(model::MessageId a, model::MessageId b) const;
  bool Overtakes(const PendingArrival& pending) const;
  Signature ReceivedIdentity(const Candidate& candidate) const;
  void Causes(const Candidate& candidate, Positions& past) const;
  void Include(uint32_t position, Positions& past) const;
  void Send(const Transition& transition, const model::Step& step);
  void DescribeInterface(Transition& transition, const model::Step& step);
  Signature SentSignature(const Transition& transition, const model::Step& step) const;
  Signature HistorySignature(const Transition& transition, ComponentId to) const;
  Signature Previous(model::MessageId message, size_t flight) const;
  void Announce(const Transition& transition, bool happens);
  ComponentId component(const Transition& transition) const {
    return setting_.components.of(transition.candidate.node);
  }

  const CheckSetting& setting_;
  model::TransitionTable& table_;
  TableEvents& events_;
  InterfaceKeys interface_keys_;
  const bool streams_;
  const uint32_t copies_;
  std::vector<model::NodeId> inside_;
  std::vector<bool> is_inside_;                 // By node.
  std::vector<model::StateId> states_;          // By node.
  std::vector<std::vector<uint32_t>> history_;  // By node: positions.
  std::vector<std::vector<uint32_t>> mail_;     // By node: flights that are not gone, oldest first.
  std::vector<Flight> flights_;
  std::vector<PendingArrival> arrivals_;  // By arrival.
  search::SlotSet environment_;           // Arrivals.
  absl::flat_hash_map<Signature, uint32_t> arrival_of_;
  // Arrivals of the environment, by the transition that they need.
  absl::flat_hash_map<Signature, absl::InlinedVector<uint32_t, 4>> waits_for_;
  Signature interface_sum_;
  Signature received_sum_;
  std::vector<Transition> transitions_;  // The first size_ count; the rest keep their memory.
  uint32_t size_ = 0;
  std::vector<uint32_t> races_;  // Of one call of Apply.
};

}  // namespace foretell::dir
