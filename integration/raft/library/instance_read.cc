// From a `struct raft` that has taken an event back to a State.

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/library/instance_impl.h"
#include "foretell/integration/raft/library/translate.h"

namespace foretell::integration::raft {

void Instance::Impl::CheckConfiguration(const raft_entry& entry) {
  if (entry.type != RAFT_CHANGE) return;
  if (std::string(static_cast<const char*>(entry.buf.base), entry.buf.len) !=
      library_->configuration()) {
    Fail("the library changes the configuration");
  }
}

Entry Instance::Impl::ReadEntry(const raft_entry& entry) {
  CheckConfiguration(entry);
  return FromLibrary(entry);
}

// Reads only what can have changed: the log of a live node grows long.
void Instance::Impl::ReadLog() {
  const uint64_t last = LastIndex(raft.log);
  const uint64_t from = std::min({changed_from_, last + 1, uint64_t{state.log.size() + 1}});
  state.disk.LogLoses(state.log, from);
  state.machine.LogLoses(state.log, from);
  state.log.resize(from - 1);
  for (uint64_t i = from; i <= last; ++i) state.log.push_back(ReadEntry(EntryAt(raft.log, i)));
  state.disk.LogGrew(state.log);
  state.machine.LogGrew(state.log);

  uint64_t commands = 0;
  for (uint64_t i = state.machine.size() + 1; i <= std::min<uint64_t>(raft.last_applied, last);
       ++i) {
    state.machine.Append(state.log, state.log[i - 1]);
    commands += state.log[i - 1].type == EntryType::kCommand ? 1 : 0;
  }
  if (commands != commands_applied_) {
    Fail(absl::StrCat("the state machine got ", commands_applied_, " commands, the log says ",
                      commands));
  }
}

void Instance::Impl::ReadLeader() {
  const auto& leader = raft.leader_state;
  for (uint32_t i = 0; i < library_->settings().node_count; ++i) {
    const raft_progress& progress = leader.progress[i];
    if (progress.state > static_cast<unsigned short>(ProgressMode::kPipeline)) {
      Fail("the leader waits for a snapshot to arrive");
    }
    state.progress.push_back({static_cast<ProgressMode>(progress.state), progress.next_index,
                              progress.match_index, progress.recent_recv});
  }
  const void* const* head = leader.requests;
  for (auto* link = static_cast<const void* const*>(head[0]); link != head;
       link = static_cast<const void* const*>(link[0])) {
    const char* request = reinterpret_cast<const char*>(link) - offsetof(ApplyRequest, queue);
    state.requests.push_back(reinterpret_cast<const ApplyRequest*>(request)->index);
  }
  state.led = state.term;
}

void Instance::Impl::ReadRole() {
  state.leader.reset();
  state.votes.clear();
  state.pre_vote = false;
  state.progress.clear();
  state.requests.clear();
  switch (raft.state) {
    case RAFT_FOLLOWER:
      state.role = Role::kFollower;
      if (raft.follower_state.current_leader.id != 0) {
        state.leader = NodeOf(raft.follower_state.current_leader.id);
      }
      break;
    case RAFT_CANDIDATE:
      state.role = Role::kCandidate;
      for (uint32_t i = 0; i < library_->settings().node_count; ++i) {
        if (raft.candidate_state.votes[i]) state.votes.insert(model::NodeId(i));
      }
      state.pre_vote = raft.candidate_state.in_pre_vote;
      break;
    case RAFT_LEADER:
      state.role = Role::kLeader;
      ReadLeader();
      break;
    default: Fail(absl::StrCat("the library is in state ", raft.state));
  }
}

// As if the event had taken no time: a node that lives long and one that has just been built must
// not differ.
void Instance::Impl::HoldTime() {
  effects_->election_timer_restarted =
      raft.state != RAFT_LEADER && raft.election_timer_start == now_;
  now_ = kNow;
  raft.election_timer_start = kNow;
  if (raft.state != RAFT_LEADER) return;
  for (uint32_t i = 0; i < library_->settings().node_count; ++i) {
    raft.leader_state.progress[i].last_send = kNow;
  }
}

// What the library relies on, and would crash without.
void Instance::Impl::CheckSane() {
  const raft_id vote = state.vote ? IdOf(*state.vote) : 0;
  const uint64_t last = state.log.size();
  if (raft.current_term != state.term || raft.voted_for != vote) {
    Fail("term and vote are not what was written to disk");
  }
  if (state.commit > last) {
    Fail(absl::StrCat("entries up to ", state.commit, " are committed, the log ends at ", last));
  }
  if (state.stored > last) {
    Fail(absl::StrCat("entries up to ", state.stored, " are stored, the log ends at ", last));
  }
}

void Instance::Impl::Settle() {
  if (arena_ != nullptr && arena_->freed_foreign) {
    Fail("the library freed memory that it had not allocated");
  }
  if (open_ && effects_->failure.empty()) {
    ReadLog();
    if (raft.state == RAFT_UNAVAILABLE) {
      Close();
      state = Stopped(state);
    } else {
      HoldTime();
      ReadRole();
      state.stored = raft.last_stored;
      state.commit = raft.commit_index;
      state.applied = raft.last_applied;
      CheckSane();
    }
  }
  changed_from_ = UINT64_MAX;
  commands_applied_ = 0;
  submitting_ = false;
  receiving_ = nullptr;
}

}  // namespace foretell::integration::raft
