#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/arena.h"
#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/plain/local_step.h"
#include "foretell/model/service.h"

namespace foretell::model {

// One way an event can turn out.
struct Step {
  StateId next;
  SendsId sends;
  uint32_t choices = 0;  // Names choices and their weight; see TransitionTable::ChoicesOf.
  friend bool operator==(const Step&, const Step&) = default;
};

// Messages of one execution to one receiver, in the order in which they were sent.
struct Batch {
  NodeId to;
  uint32_t list = 0;  // Names the messages; see TransitionTable::Messages.
};

// All that explorers see of a service: steps of single nodes, by id. A handler runs the first time
// its (state, event) is asked for; after that the answer is remembered. Spans live as long as the
// table. One thread at a time.
//
// States that differ in their auxiliary parts only (Service::Relevant) have one id; the first that
// came stands for all of them.
class TransitionTable {
 public:
  explicit TransitionTable(const Service& service);
  TransitionTable(const TransitionTable&) = delete;
  TransitionTable& operator=(const TransitionTable&) = delete;

  struct Execution {
    NodeId node;
    StateId state;
    EventId event;
  };

  const Service& service() const { return service_; }
  uint32_t node_count() const { return static_cast<uint32_t>(nodes_.size()); }

  StateId InternState(NodeId node, const NodeState& state);
  MessageId InternMessage(const Message& message);
  EventId InternEvent(NodeId node, const Event& event);

  // The ways `event` can turn out at `state`, one per sequence of choices, in a fixed order.
  // REQUIRES: `event` is enabled in `state`.
  std::span<const Step> Successors(NodeId node, StateId state, EventId event);
  // Events enabled in `state` that need no message. Order is fixed: replay paths rely on it.
  std::span<const EventId> LocalEvents(NodeId node, StateId state);
  // True iff messages can be delivered in `state`.
  bool Accepts(NodeId node, StateId state) const { return status(node, state) == NodeStatus::kUp; }
  NodeStatus status(NodeId node, StateId state) const;
  // True iff a node that was interned is absent: invariants over the whole system mean nothing
  // then.
  bool neighbourhood() const { return neighbourhood_; }

  std::span<const Batch> Batches(SendsId sends) const { return sends_[sends.index()].batches; }
  std::span<const MessageId> Messages(uint32_t list) const;
  // The messages in flight after sending `first` and then `second`.
  SendsId Concatenate(SendsId first, SendsId second);

  NodeId sender(MessageId message) const { return ends_[message.index()].from; }
  NodeId receiver(MessageId message) const { return ends_[message.index()].to; }
  uint32_t message_count() const { return static_cast<uint32_t>(ends_.size()); }
  uint32_t state_count(NodeId node) const { return nodes_[node.index()].states.size(); }
  uint64_t state_count() const;

  // Back to what people and replay understand.
  NodeState StateOf(NodeId node, StateId state) const;
  Event EventOf(EventId event) const;
  PathStep PathStepOf(NodeId node, EventId event, const Step& step) const;
  std::span<const uint32_t> ChoicesOf(const Step& step) const {
    const std::span<const uint32_t> kept = choices_.at(step.choices);
    return kept.first(kept.size() - 1);
  }
  // Of its choices together; 0: nobody may count on it.
  uint32_t WeightOf(const Step& step) const {
    return step.choices == 0 ? 1 : choices_.at(step.choices).back();
  }
  // What recovery may expect of `event`, whatever its handler chooses.
  Help HelpOf(EventId event);

  // From now on every execution is listed once, in order, for those who check all of them.
  void ListExecutions() { lists_executions_ = true; }
  const std::vector<Execution>& executions() const { return executions_; }
  // Runs of user code so far, one per distinct (state, event, choices); audits not counted.
  uint64_t handler_executions() const { return handler_executions_; }
  uint64_t bytes() const;

  // Re-runs remembered executions and compares. Called by explorers before they report; some
  // executions are also audited on the way.
  void Audit();
  // Re-runs every step of a path that an engine believes in, of each node as far as this table
  // knows of it.
  void AuditPath(const SystemCut& start, const Path& path);
  // Set once a handler was caught giving two answers, or depending on state that its encoding does
  // not capture: the event and both answers, for people.
  const std::optional<std::string>& nondeterminism() const { return nondeterminism_; }

 private:
  struct Local {
    std::span<const EventId> events;
    bool known = false;
  };
  // Full states that the table takes for one of its own.
  struct Alternates {
    absl::flat_hash_map<uint32_t, std::vector<std::string>> bodies;  // By state.
    size_t count = 0;
  };
  struct Node {
    Interner states;                // By what is relevant of them.
    std::vector<std::string> full;  // The first of each, if states have auxiliary parts.
    Alternates alternates;
    std::vector<Local> local_events;                             // By state.
    absl::flat_hash_map<uint64_t, std::span<const Step>> steps;  // By state and event.
    std::vector<MessageId> messages;                             // To it, as they became known.
  };
  struct Ends {
    NodeId from;
    NodeId to;
  };
  struct Sends {
    std::span<const Batch> batches;
  };
  std::span<const Step> Execute(NodeId node, StateId state, EventId event);
  SendsId InternSends(NodeId from, const std::vector<Send>& sends);
  SendsId InternMessages(std::vector<MessageId> messages);
  void AuditOne(const Execution& execution, uint64_t runs_max);
  void AuditActions();
  bool SameActions(NodeId node, StateId state);
  void AuditCapture(const Execution& execution, StateId next, uint64_t runs_max);
  bool Captured(const Execution& execution, const std::vector<Event>& events,
                const NodeState& last);
  std::vector<EventId> Followers(NodeId node, StateId state, uint32_t salt) const;
  std::optional<StateId> OnlyNext(NodeId node, StateId state, EventId event) const;
  void Report(const Execution& execution, const std::string& what);
  // audit_auxiliary.cc
  void KeepFull(NodeId node, StateId state, const std::string& body);
  void AuditAuxiliary();
  bool Walk(NodeId node, StateId state, std::string body);
  bool LooksTheSame(NodeId node, const std::string& a, const std::string& b) const;
  bool SameOutcomes(NodeId node, StateId state, const NodeState& alternate, EventId event,
                    std::optional<std::string>& next);
  void ReportClaim(NodeId node, const std::string& a, const std::string& b,
                   const std::string& what);

  const Service& service_;
  const bool streams_;
  const bool auxiliary_;
  const std::vector<std::string> claimed_;  // Fields that are auxiliary on somebody's word.
  bool neighbourhood_ = false;
  std::vector<Node> nodes_;
  Interner messages_;
  Interner actions_;
  std::vector<Ends> ends_;         // By message.
  SequenceInterner choices_;       // Each followed by its weight.
  std::vector<Help> action_help_;  // By action.
  SequenceInterner lists_;         // Message ids.
  SequenceInterner sends_index_;
  std::deque<Sends> sends_;
  absl::flat_hash_map<uint64_t, SendsId> concatenated_;
  Arena<Step> step_arena_;
  Arena<EventId> event_arena_;
  Arena<Batch> batch_arena_;
  std::vector<Execution> remembered_;
  bool lists_executions_ = false;
  std::vector<Execution> executions_;
  uint64_t handler_executions_ = 0;
  uint64_t memo_entries_ = 0;
  std::optional<std::string> nondeterminism_;
};

}  // namespace foretell::model
