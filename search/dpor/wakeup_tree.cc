#include "foretell/search/dpor/wakeup_tree.h"

#include <algorithm>
#include <utility>

namespace foretell::search {

std::optional<Sequence> Sequence::Make(const Execution& from, std::vector<Turn> turns) {
  Sequence sequence(from, std::move(turns));
  if (!sequence.TakeAll()) return std::nullopt;
  return sequence;
}

bool Sequence::TakeAll() {
  for (const Turn turn : turns_) {
    const ProcessSpace::Step* const step = taken_.Find(turn);
    if (step == nullptr) return false;
    taken_.Push(turn.process, *step);
  }
  return true;
}

std::optional<size_t> Sequence::IndexOf(uint32_t process) const {
  for (size_t i = 0; i < turns_.size(); ++i) {
    if (turns_[i].process == process) return i;
  }
  return std::nullopt;
}

// Nothing in the sequence happens before the event.
bool Sequence::FreeOf(size_t event) const {
  for (size_t i = begin_; i < event; ++i) {
    if (taken_.Before(i, event)) return false;
  }
  return true;
}

bool Sequence::CanBegin(Turn turn) {
  if (const std::optional<size_t> index = IndexOf(turn.process)) {
    return turns_[*index] == turn && FreeOf(begin_ + *index);
  }
  const ProcessSpace::Step* const step = taken_.Find(turn);
  if (step == nullptr) return false;
  const size_t end = taken_.size();
  taken_.Push(turn.process, *step);
  const bool free = FreeOf(end);
  taken_.Truncate(end);
  return free;
}

void Sequence::Begin(Turn turn) {
  if (const std::optional<size_t> index = IndexOf(turn.process)) {
    turns_.erase(turns_.begin() + static_cast<std::ptrdiff_t>(*index));
  }
  taken_.Truncate(begin_);
  taken_.Push(turn);
  ++begin_;
  TakeAll();
}

namespace {

// The events after `first` that do not happen after it: they can all come before it.
std::vector<Turn> Without(const Execution& execution, size_t first) {
  std::vector<Turn> turns;
  for (size_t i = first + 1; i < execution.size(); ++i) {
    if (!execution.Before(first, i)) turns.push_back(execution.turn(i));
  }
  return turns;
}

}  // namespace

std::vector<Sequence> Reversed(const Execution& execution, size_t first, size_t later) {
  std::vector<Sequence> reversed;
  const Execution before = execution.Prefix(first);
  std::optional<Sequence> without = Sequence::Make(before, Without(execution, first));
  if (!without) return reversed;
  const Turn turn = execution.turn(later);
  std::vector<Turn> ways;
  if (without->taken().Find(turn) != nullptr) {
    ways.push_back(turn);
  } else if (!execution.step(later).blocks) {
    for (const ProcessSpace::Step& step : without->taken().Steps(turn.process)) {
      ways.push_back({turn.process, step.key});
    }
  }
  for (const Turn way : ways) {
    std::vector<Turn> turns = without->turns();
    turns.push_back(way);
    if (auto sequence = Sequence::Make(before, std::move(turns))) {
      reversed.push_back(*std::move(sequence));
    }
  }
  return reversed;
}

uint64_t Insert(Sequence sequence, WakeupTree& tree) {
  WakeupTree* at = &tree;
  while (!sequence.turns().empty()) {
    const auto covers = std::find_if(
        at->branches.begin(), at->branches.end(),
        [&](const WakeupTree::Branch& branch) { return sequence.CanBegin(branch.turn); });
    if (covers == at->branches.end()) {
      for (const Turn turn : sequence.turns()) {
        at = &at->branches.emplace_back(WakeupTree::Branch{turn, {}}).rest;
      }
      return sequence.turns().size();
    }
    if (covers->rest.branches.empty()) return 0;
    sequence.Begin(covers->turn);
    at = &covers->rest;
  }
  return 0;
}

}  // namespace foretell::search
