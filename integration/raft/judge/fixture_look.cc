// What the simulator's servers hold.

#include "foretell/integration/raft/judge/fixture_replay_impl.h"
#include "foretell/integration/raft/library/translate.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {

void FixtureReplay::Impl::LookAtRole(const ::raft& raft, FixtureServer& view) {
  if (raft.state == RAFT_FOLLOWER) view.leader = raft.follower_state.current_leader.id;
  for (unsigned i = 0; i < raft.configuration.n; ++i) {
    if (raft.state == RAFT_CANDIDATE) view.votes.push_back(raft.candidate_state.votes[i]);
    if (raft.state != RAFT_LEADER) continue;
    constexpr unsigned short kPipeline = 1;  // As the library's progress.h counts.
    const raft_progress& progress = raft.leader_state.progress[i];
    view.match.push_back(progress.match_index);
    view.next.push_back(progress.next_index);
    view.pipelining.push_back(progress.state == kPipeline);
    view.heard.push_back(progress.recent_recv);
  }
}

FixtureServer FixtureReplay::Impl::Look(unsigned server) const {
  const ::raft& raft = *raft_fixture_get(&fixture_, server);
  FixtureServer view{.up = servers_[server].up,
                     .role = static_cast<FixtureRole>(raft.state),
                     .term = raft.current_term,
                     .vote = raft.voted_for,
                     .commit = raft.commit_index,
                     .applied = raft.last_applied,
                     .stored = raft.last_stored,
                     .led = servers_[server].led,
                     .commands = servers_[server].commands};
  const raft_log& log = raft.log;
  for (size_t i = log.front; i != log.back; i = (i + 1) % log.size) {
    view.log.push_back(FromLibrary(log.entries[i]));
  }
  LookAtRole(raft, view);
  raft_io& io = fixture_.servers[server].io;
  raft_snapshot* snapshot = nullptr;
  raft_index start = 0;
  raft_entry* entries = nullptr;
  size_t n = 0;
  raft_term term = 0;
  raft_id vote = 0;
  FORETELL_CHECK(io.load(&io, &term, &vote, &snapshot, &start, &entries, &n) == 0);
  view.disk_term = term;
  view.disk_vote = vote;
  for (size_t i = 0; i < n; ++i) view.disk.push_back(FromLibrary(entries[i]));
  if (n > 0) raft_free(entries[0].batch);
  raft_free(entries);
  return view;
}

}  // namespace foretell::integration::raft
