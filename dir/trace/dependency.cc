#include "foretell/dir/trace/dependency.h"

#include <algorithm>
#include <span>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/conflicts.h"
#include "foretell/search/graphs/node_graphs.h"

namespace foretell::dir {
namespace {

using model::EventId;
using model::NodeId;
using model::StateId;
using model::Step;
using search::SlotSet;

bool Contains(std::span<const EventId> events, EventId event) {
  return std::find(events.begin(), events.end(), event) != events.end();
}

// Finds the dependent events of one node.
class NodeDependency {
 public:
  NodeDependency(model::TransitionTable& table, model::InvariantTable* invariants,
                 const search::NodeGraphs& graphs, NodeId node)
      : table_(table),
        invariants_(invariants),
        graphs_(graphs),
        node_(node),
        streams_(table.service().network().kind == model::NetworkKind::kStreams) {}

  // False if the budget is spent.
  bool Run(model::Budget& budget) {
    for (const StateId state : graphs_.States(node_)) {
      for (const EventId event : graphs_.Events(node_, state)) {
        if (!budget.TakeStep()) return false;
        Examine(state, event);
      }
    }
    RelateSwitches();
    for (size_t a = 0; a < events_.size(); ++a) {
      if (!budget.TakeStep()) return false;
      RelateSends(a);
      for (size_t b = 0; b < a; ++b) {
        const bool same_stream =
            streams_ && events_[a].is_deliver() && events_[b].is_deliver() &&
            table_.sender(events_[a].message()) == table_.sender(events_[b].message());
        // All events of a node depend on whether it is up.
        const bool life = ends_life_.Test(a) || ends_life_.Test(b);
        if (life || same_stream || (visible_.Test(a) && visible_.Test(b))) Relate(a, b);
      }
    }
    return true;
  }

  const std::vector<EventId>& events() const { return events_; }
  const SlotSet& row(size_t event) const { return rows_[event]; }

 private:
  size_t Number(EventId event) {
    const auto [found, fresh] = numbers_.try_emplace(event, events_.size());
    if (fresh) {
      events_.push_back(event);
      rows_.emplace_back();
      sends_.emplace_back();
      enabled_by_.emplace_back();
      disabled_by_.emplace_back();
    }
    return found->second;
  }

  void Relate(size_t a, size_t b) {
    rows_[a].Set(b);
    rows_[b].Set(a);
  }

  void Examine(StateId state, EventId event) {
    const size_t number = Number(event);
    for (const Step& step : table_.Successors(node_, state, event)) {
      for (const model::Batch& batch : table_.Batches(step.sends)) {
        for (const model::MessageId m : table_.Messages(batch.list)) {
          sends_[number].Set(m.index());
        }
      }
      NoteSwitches(number, state, step.next);
      if (invariants_ != nullptr &&
          invariants_->Signature(node_, state) != invariants_->Signature(node_, step.next)) {
        visible_.Set(number);
      }
    }
    for (const EventId other : graphs_.Events(node_, state)) {
      if (other < event && !Commute(state, event, other)) Relate(number, Number(other));
    }
  }

  // Notes the local events that `event` makes possible or impossible.
  void NoteSwitches(size_t event, StateId before, StateId after) {
    if (before == after) return;
    if (table_.Accepts(node_, before) != table_.Accepts(node_, after)) ends_life_.Set(event);
    const auto was = table_.LocalEvents(node_, before);
    const auto is = table_.LocalEvents(node_, after);
    for (const EventId local : is) {
      if (!Contains(was, local)) enabled_by_[Number(local)].Set(event);
    }
    for (const EventId local : was) {
      if (!Contains(is, local)) disabled_by_[Number(local)].Set(event);
    }
  }

  // An event that enables another does not commute with one that disables it, even if both orders
  // end in the same state: in one of them the other could have happened in between.
  void RelateSwitches() {
    for (size_t local = 0; local < events_.size(); ++local) {
      enabled_by_[local].ForEach([&](size_t on) {
        Relate(on, local);
        disabled_by_[local].ForEach([&](size_t off) { Relate(on, off); });
      });
      disabled_by_[local].ForEach([&](size_t off) { Relate(off, local); });
    }
  }

  // Two sends of the same message are in order, so that it is clear which of them a delivery
  // depends on.
  void RelateSends(size_t a) {
    for (size_t b = 0; b < a; ++b) {
      if (sends_[a].Intersects(sends_[b])) Relate(a, b);
    }
  }

  bool Commute(StateId state, EventId a, EventId b) {
    const auto steps_a = table_.Successors(node_, state, a);
    const auto steps_b = table_.Successors(node_, state, b);
    for (size_t i = 0; i < steps_a.size(); ++i) {
      for (size_t j = 0; j < steps_b.size(); ++j) {
        const StateId after_a = steps_a[i].next;
        const StateId after_b = steps_b[j].next;
        if (!search::IsPossible(table_, node_, after_a, b) ||
            !search::IsPossible(table_, node_, after_b, a)) {
          return false;
        }
        const auto then_b = table_.Successors(node_, after_a, b);
        const auto then_a = table_.Successors(node_, after_b, a);
        if (then_b.size() != steps_b.size() || then_a.size() != steps_a.size()) return false;
        if (then_b[j].next != then_a[i].next || then_b[j].sends != steps_b[j].sends ||
            then_a[i].sends != steps_a[i].sends ||
            table_.Concatenate(steps_a[i].sends, then_b[j].sends) !=
                table_.Concatenate(steps_b[j].sends, then_a[i].sends)) {
          return false;
        }
      }
    }
    return true;
  }

  model::TransitionTable& table_;
  model::InvariantTable* const invariants_;
  const search::NodeGraphs& graphs_;
  const NodeId node_;
  const bool streams_;
  absl::flat_hash_map<EventId, size_t> numbers_;
  std::vector<EventId> events_;
  std::vector<SlotSet> rows_;
  std::vector<SlotSet> sends_;        // Messages, by event.
  std::vector<SlotSet> enabled_by_;   // Events, by local event.
  std::vector<SlotSet> disabled_by_;  // Likewise.
  SlotSet visible_;
  SlotSet ends_life_;  // Or begins it: crashes, restarts, handlers that fail.
};

}  // namespace

Dependency Dependency::Exact(GrownNodeGraphs& grown, bool check_invariants,
                             EventNumbers& event_numbers, model::Budget& budget) {
  Dependency result;
  if (!grown.closed) return result;
  model::TransitionTable& table = grown.table;
  model::InvariantTable invariants(table);
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    NodeDependency node(table, check_invariants ? &invariants : nullptr, grown.graphs, NodeId(n));
    if (!node.Run(budget)) return Dependency();
    std::vector<uint32_t> numbers;
    for (const EventId event : node.events()) {
      numbers.push_back(event_numbers.Number({NodeId(n), table.EventOf(event)}));
      if (result.rows_.size() <= numbers.back()) result.rows_.resize(numbers.back() + 1);
    }
    for (size_t a = 0; a < numbers.size(); ++a) {
      node.row(a).ForEach([&](size_t b) { result.rows_[numbers[a]].Set(numbers[b]); });
    }
  }
  result.exact_ = true;
  return result;
}

}  // namespace foretell::dir
