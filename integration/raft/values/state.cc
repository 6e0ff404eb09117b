#include "foretell/integration/raft/values/state.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::integration::raft {

void Copy::Append(const std::vector<Entry>& log, const Entry& entry) {
  rest.push_back(entry);
  LogGrew(log);
}

void Copy::Truncate(uint64_t index) {
  FORETELL_CHECK(index > 0);
  if (index > size()) return;
  if (index <= shared) {
    shared = index - 1;
    rest.clear();
  } else {
    rest.resize(index - 1 - shared);
  }
}

void Copy::LogLoses(const std::vector<Entry>& log, uint64_t index) {
  if (index > shared) return;
  const auto begin = log.begin() + static_cast<std::ptrdiff_t>(index - 1);
  rest.insert(rest.begin(), begin, log.begin() + static_cast<std::ptrdiff_t>(shared));
  shared = index - 1;
}

void Copy::LogGrew(const std::vector<Entry>& log) {
  size_t equal = 0;
  while (equal < rest.size() && shared + equal < log.size() && rest[equal] == log[shared + equal]) {
    ++equal;
  }
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(equal));
  shared += equal;
}

std::vector<Entry> Copy::Expand(const std::vector<Entry>& log) const {
  std::vector<Entry> all(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(shared));
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

Entry FirstEntry() { return {.term = 1, .type = EntryType::kChange, .data = ""}; }

State Stopped(const State& state) {
  State stopped;
  stopped.term = state.term;
  stopped.vote = state.vote;
  stopped.log = state.disk.Expand(state.log);
  stopped.disk.shared = stopped.log.size();
  // Whether these reached the disk is not known before it is read again.
  stopped.pending = state.pending;
  stopped.led = state.led;
  stopped.budget = state.budget;
  return stopped;
}

State Boot(const Budget& budget) {
  State state;
  state.term = 1;
  state.log = {FirstEntry()};
  state.disk.shared = 1;
  state.budget = budget;
  return state;
}

bool CanComplete(const State& state) {
  if (state.pending.empty()) return false;
  const Operation& operation = state.pending.front();
  return operation.kind == Operation::Kind::kTruncate || operation.index == state.disk.size() + 1;
}

void Complete(State& state) {
  FORETELL_CHECK(CanComplete(state));
  const Operation operation = std::move(state.pending.front());
  state.pending.erase(state.pending.begin());
  if (operation.kind == Operation::Kind::kTruncate) {
    state.disk.Truncate(operation.index);
  } else {
    for (const Entry& entry : operation.entries) state.disk.Append(state.log, entry);
  }
}

}  // namespace foretell::integration::raft
