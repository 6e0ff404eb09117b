#include "foretell/search/symmetry/equivariance.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"

namespace foretell::search {

using model::EventId;
using model::KeyId;
using model::NodeId;
using model::StateId;
using model::Step;

namespace {

constexpr uint32_t kNoKey = 0;

uint32_t CodeOf(const std::optional<KeyId>& key) { return key ? key->value() + 1 : kNoKey; }

}  // namespace

Equivariance::Equivariance(model::TransitionTable& table, model::InvariantTable& invariants,
                           Exchanges& exchanges)
    : table_(table),
      invariants_(invariants),
      exchanges_(exchanges),
      states_checked_(table.node_count(), 0),
      keys_(exchanges.count() * table.node_count()),
      signatures_(exchanges.count() * table.node_count()) {
  table.ListExecutions();
}

bool Equivariance::Check(model::Budget& budget) {
  // Whatever is looked at first may bring more of all.
  const auto left = [this] {
    for (uint32_t n = 0; n < table_.node_count(); ++n) {
      if (states_checked_[n] < table_.state_count(NodeId(n))) return true;
    }
    return executions_checked_ < table_.executions().size() ||
           combinations_checked_ < combinations_.size();
  };
  while (!complaint_ && left()) {
    if (!CheckStates(budget) || !CheckExecutions(budget) || !CheckCombinations(budget)) {
      return false;
    }
  }
  return !complaint_;
}

bool Equivariance::CheckStates(model::Budget& budget) {
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    uint32_t& next = states_checked_[n];
    for (; next < table_.state_count(NodeId(n)); ++next) {
      if (!budget.TakeStep()) return false;
      for (size_t x = 0; x < exchanges_.count() && !complaint_; ++x) {
        CheckEnabled(x, NodeId(n), StateId(next));
        if (!complaint_) CheckSignature(x, NodeId(n), StateId(next));
      }
      if (complaint_) return false;
    }
  }
  return true;
}

void Equivariance::CheckEnabled(size_t exchange, NodeId node, StateId state) {
  std::vector<EventId> expected;
  for (const EventId event : table_.LocalEvents(node, state)) {
    expected.push_back(exchanges_.Event(exchange, node, event));
  }
  const NodeId other = exchanges_.at(exchange)(node);
  const auto enabled = table_.LocalEvents(other, exchanges_.State(exchange, node, state));
  for (const EventId event : expected) {
    if (std::find(enabled.begin(), enabled.end(), event) != enabled.end()) continue;
    return Complain(exchange, absl::StrCat(Describe(other, event), " is not possible, and at node ",
                                           node.value(), ", with the two exchanged, it is"));
  }
  for (const EventId event : enabled) {
    if (std::find(expected.begin(), expected.end(), event) != expected.end()) continue;
    return Complain(exchange, absl::StrCat(Describe(other, event), " is possible, and at node ",
                                           node.value(), ", with the two exchanged, it is not"));
  }
}

// What an invariant sees of an image must follow from what it sees of the original.
void Equivariance::CheckSignature(size_t exchange, NodeId node, StateId state) {
  const NodeId other = exchanges_.at(exchange)(node);
  const uint32_t seen = invariants_.Signature(node, state);
  const uint32_t image = invariants_.Signature(other, exchanges_.State(exchange, node, state));
  const size_t place = exchange * table_.node_count() + node.index();
  std::vector<uint32_t>& known = signatures_[place];
  if (known.size() <= seen) known.resize(seen + 1, 0);
  if (known[seen] == image + 1) return;
  for (size_t i = 0; i < invariants_.count(); ++i) {
    const uint32_t key = CodeOf(invariants_.Key(i, seen));
    const uint32_t other_key = CodeOf(invariants_.Key(i, image));
    const auto entry =
        keys_[place].try_emplace(model::PairKey(static_cast<uint32_t>(i), key), other_key);
    if (entry.first->second == other_key) continue;
    return Complain(exchange,
                    absl::StrCat("invariant ", invariants_.info(i).name, " tells states of node ",
                                 other.value(), " apart that it does not tell apart at node ",
                                 node.value(), ", with the two exchanged"));
  }
  known[seen] = image + 1;
}

bool Equivariance::CheckExecutions(model::Budget& budget) {
  for (; executions_checked_ < table_.executions().size(); ++executions_checked_) {
    const Execution execution = table_.executions()[executions_checked_];
    for (size_t x = 0; x < exchanges_.count(); ++x) {
      if (!budget.TakeStep()) return false;
      CheckOutcomes(x, execution);
      if (complaint_) return false;
    }
    // An event may only be asked for where it is enabled, which is looked at first.
    if (!CheckStates(budget)) return false;
  }
  return true;
}

void Equivariance::CheckOutcomes(size_t exchange, const Execution& execution) {
  const auto [node, state, event] = execution;
  const auto steps = table_.Successors(node, state, event);
  const auto others =
      table_.Successors(exchanges_.at(exchange)(node), exchanges_.State(exchange, node, state),
                        exchanges_.Event(exchange, node, event));
  std::vector<bool> taken(others.size(), false);
  bool same = steps.size() == others.size();
  for (size_t i = 0; same && i < steps.size(); ++i) {
    same = false;
    // Mostly choices come in the same order.
    for (size_t k = 0; !same && k < others.size(); ++k) {
      const size_t j = (i + k) % others.size();
      same = !taken[j] && SameOutcome(exchange, execution, steps[i], others[j]);
      if (same) taken[j] = true;
    }
  }
  if (!same) ComplainOfOutcomes(exchange, execution, steps, others);
}

bool Equivariance::SameOutcome(size_t exchange, const Execution& execution, const Step& step,
                               const Step& other) {
  return exchanges_.State(exchange, execution.node, step.next) ==
             exchanges_.TextFree(exchanges_.at(exchange)(execution.node), other.next) &&
         exchanges_.Sends(exchange, step.sends) == exchanges_.Sends(other.sends);
}

bool Equivariance::CheckCombinations(model::Budget& budget) {
  for (; combinations_checked_ < combinations_.size(); ++combinations_checked_) {
    for (size_t x = 0; x < exchanges_.count(); ++x) {
      if (!budget.TakeStep()) return false;
      CheckVerdict(x, combinations_checked_);
      if (complaint_) return false;
    }
  }
  return true;
}

void Equivariance::CheckVerdict(size_t exchange, uint32_t combination) {
  const auto kept = combinations_.at(combination);
  const std::vector<uint32_t> seen(kept.begin(), kept.end());
  std::vector<uint32_t> image(seen.size());
  for (uint32_t n = 0; n < seen.size(); ++n) {
    const std::vector<uint32_t>& known = signatures_[exchange * seen.size() + n];
    FORETELL_CHECK(seen[n] < known.size() && known[seen[n]] != 0);
    image[exchanges_.at(exchange)(NodeId(n)).index()] = known[seen[n]] - 1;
  }
  const model::InvariantSet differs = invariants_.Violated(seen) ^ invariants_.Violated(image);
  combinations_.Intern(image);
  for (size_t i = 0; i < invariants_.count(); ++i) {
    if ((differs >> i & 1) == 0) continue;
    return Complain(exchange, absl::StrCat("invariant ", invariants_.info(i).name,
                                           " does not judge a state as it does the same with the "
                                           "two exchanged"));
  }
}

void Equivariance::Complain(const std::string& what) {
  if (!complaint_) complaint_ = absl::StrCat("not symmetric: ", what);
}

void Equivariance::Complain(size_t exchange, const std::string& what) {
  const auto [a, b] = exchanges_.at(exchange);
  Complain(absl::StrCat("nodes ", a.value(), " and ", b.value(),
                        " are said to be interchangeable, but ", what));
}

void Equivariance::ComplainOfOutcomes(size_t exchange, const Execution& execution,
                                      std::span<const Step> steps, std::span<const Step> others) {
  const NodeId other = exchanges_.at(exchange)(execution.node);
  Contrast contrast{"turns out in some way", "in another"};
  if (steps.size() != others.size()) {
    contrast = {absl::StrCat("has ", others.size(), " outcomes"), absl::StrCat(steps.size())};
  } else if (steps.size() == 1) {
    const StateId expected = exchanges_.State(exchange, execution.node, steps[0].next);
    const bool same = expected == exchanges_.TextFree(other, others[0].next);
    contrast = same ? Contrast{"sends something", "something else"}
                    : Difference(other, expected, others[0].next);
  }
  const EventId event = exchanges_.Event(exchange, execution.node, execution.event);
  Complain(exchange,
           absl::StrCat(Describe(other, event), " ", contrast.here, ", and at node ",
                        execution.node.value(), ", with the two exchanged, ", contrast.there));
}

Equivariance::Contrast Equivariance::Difference(NodeId node, StateId expected,
                                                StateId found) const {
  const model::NodeState a = table_.StateOf(node, expected);
  const model::NodeState b = table_.StateOf(node, found);
  if (a.status != b.status || model::IsSilent(a)) return {"ends in some way", "in another"};
  std::map<std::string, Contrast> leaves;  // What is not there is as if it were empty.
  for (const model::Field& leaf : table_.service().RenderState(node, b.body)) {
    leaves[leaf.name].here = leaf.value;
  }
  for (const model::Field& leaf : table_.service().RenderState(node, a.body)) {
    leaves[leaf.name].there = leaf.value;
  }
  for (const auto& [name, values] : leaves) {
    if (values.here == values.there) continue;
    return {absl::StrCat("leaves ", name, "=", values.here), values.there};
  }
  return {"leads to some state", "to another"};
}

std::string Equivariance::Describe(NodeId node, EventId event) const {
  return model::Describe(table_.service(), node, table_.EventOf(event));
}

uint64_t Equivariance::bytes() const {
  uint64_t total = combinations_.bytes();
  for (const std::vector<uint32_t>& known : signatures_)
    total += known.capacity() * sizeof(uint32_t);
  for (const auto& known : keys_) total += known.capacity() * (sizeof(uint64_t) + 8);
  return total;
}

}  // namespace foretell::search
