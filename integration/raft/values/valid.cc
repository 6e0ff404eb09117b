// What may come from outside. The library's assertions are compiled out, so everything that they
// would have caught and that could make it read or write astray is refused here.

#include <algorithm>
#include <string>

#include "foretell/integration/raft/values/state.h"

namespace foretell::integration::raft {
namespace {

// The library counts in 64 bits and adds small numbers; this leaves room.
constexpr uint64_t kNumberMax = uint64_t{1} << 48;
// Entries that were cut off the log and wait for the disk lie beyond its end. The library's table
// of references is as large as the highest index.
constexpr uint64_t kBeyondLogMax = uint64_t{1} << 16;
// Of a key or a value.
constexpr size_t kWordMax = 4096;

bool ValidText(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Commands are texts with spaces between their parts.
bool ValidWord(const std::string& text) {
  return !text.empty() && text.size() <= kWordMax && ValidText(text) &&
         text.find(' ') == std::string::npos;
}

bool ValidEntry(const Entry& entry, uint64_t index) {
  if (index == 1) return entry == FirstEntry();
  return entry.term > 0 && entry.term < kNumberMax && entry.type == EntryType::kCommand &&
         !entry.data.empty() && ValidText(entry.data);
}

bool ValidEntries(const std::vector<Entry>& entries, uint64_t first) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!ValidEntry(entries[i], first + i)) return false;
  }
  return true;
}

// Canonical: equal states have equal encodings.
bool ValidCopy(const Copy& copy, const std::vector<Entry>& log) {
  if (copy.shared > log.size()) return false;
  if (!copy.rest.empty() && copy.shared < log.size() && copy.rest[0] == log[copy.shared]) {
    return false;
  }
  return ValidEntries(copy.rest, copy.shared + 1);
}

bool ValidOperation(const Operation& operation, const State& state) {
  if (operation.index < 2 || operation.index > state.log.size() + kBeyondLogMax) return false;
  if (operation.leader_commit >= kNumberMax || operation.term >= kNumberMax) return false;
  switch (operation.kind) {
    case Operation::Kind::kTruncate:
      return operation.entries.empty() && operation.prev == 0 && operation.leader_commit == 0 &&
             operation.term == 0;
    case Operation::Kind::kLeaderAppend:
      if (operation.prev != 0 || operation.leader_commit != 0 || operation.term != 0) return false;
      break;
    case Operation::Kind::kFollowerAppend:
      if (operation.prev >= operation.index) return false;
      break;
    default: return false;
  }
  return !operation.entries.empty() && operation.entries.size() <= kBeyondLogMax &&
         ValidEntries(operation.entries, operation.index);
}

bool ValidLeader(const State& state, uint32_t node_count) {
  if (state.progress.size() != node_count) return false;
  for (const Progress& progress : state.progress) {
    if (progress.mode > ProgressMode::kPipeline) return false;
    if (progress.next == 0 || progress.next >= kNumberMax) return false;
    if (progress.match >= kNumberMax) return false;
  }
  uint64_t last = 0;
  for (uint64_t request : state.requests) {
    if (request <= last || request >= kNumberMax) return false;
    last = request;
  }
  return true;
}

bool ValidRole(const State& state, uint32_t node_count) {
  const bool follows = state.role == Role::kFollower;
  const bool runs = state.role == Role::kCandidate;
  const bool leads = state.role == Role::kLeader;
  if (state.role > Role::kLeader) return false;
  if (state.leader && (!follows || state.leader->value() >= node_count)) return false;
  if (!runs && (!state.votes.empty() || state.pre_vote)) return false;
  if (runs && (state.votes.empty() || state.votes.rbegin()->value() >= node_count)) return false;
  if (leads) return ValidLeader(state, node_count);
  return state.progress.empty() && state.requests.empty();
}

// What is volatile, in relation to the log.
bool ValidIndexes(const State& state) {
  if (state.role == Role::kStopped) {
    return state.stored == 0 && state.commit == 0 && state.applied == 0 &&
           state.machine == Copy{} && state.disk.shared == state.log.size() &&
           state.disk.rest.empty();
  }
  return state.stored >= 1 && state.stored <= state.log.size() && state.commit >= 1 &&
         state.commit <= state.log.size() && state.applied >= 1 && state.applied <= state.commit &&
         state.machine.size() == state.applied;
}

}  // namespace

bool Valid(const State& state, uint32_t node_count) {
  if (state.term == 0 || state.term >= kNumberMax || state.led > state.term) return false;
  if (state.vote && state.vote->value() >= node_count) return false;
  if (state.log.empty() || !ValidEntries(state.log, 1)) return false;
  if (!ValidCopy(state.disk, state.log) || state.disk.size() == 0) return false;
  if (!ValidCopy(state.machine, state.log)) return false;
  if (!ValidRole(state, node_count) || !ValidIndexes(state)) return false;
  return std::all_of(state.pending.begin(), state.pending.end(),
                     [&](const Operation& operation) { return ValidOperation(operation, state); });
}

bool Valid(const Message& message) {
  struct Check {
    bool operator()(const RequestVote& m) const {
      return m.term < kNumberMax && m.last_log_index < kNumberMax && m.last_log_term < kNumberMax;
    }
    bool operator()(const RequestVoteResult& m) const {
      return m.term < kNumberMax && m.pre_vote <= Tribool::kFalse;
    }
    bool operator()(const AppendEntries& m) const {
      return m.term < kNumberMax && m.prev_log_index < kNumberMax && m.prev_log_term < kNumberMax &&
             m.leader_commit < kNumberMax && m.entries.size() <= kBeyondLogMax &&
             ValidEntries(m.entries, m.prev_log_index + 1);
    }
    bool operator()(const AppendEntriesResult& m) const {
      return m.term < kNumberMax && m.rejected < kNumberMax && m.last_log_index < kNumberMax;
    }
  };
  return std::visit(Check(), message);
}

bool Valid(const Action& action) {
  const Put* put = std::get_if<Put>(&action);
  return put == nullptr || (ValidWord(put->key) && ValidWord(put->value));
}

}  // namespace foretell::integration::raft
