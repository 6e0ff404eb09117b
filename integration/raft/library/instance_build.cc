// From a State to a `struct raft` that is about to take its next event.

#include <cstring>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/library/instance_impl.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {
namespace {

// As the library's own queues are linked: next, previous.
void InitQueue(void** head) { head[0] = head[1] = head; }
void PushQueue(void** head, void** link) {
  link[0] = head;
  link[1] = head[1];
  static_cast<void**>(link[1])[0] = link;
  head[1] = link;
}

void GrowReferences(raft_log& log, uint64_t index) {
  size_t size = log.refs_size;
  while (size < index) size *= 2;
  auto* table = static_cast<raft_entry_ref*>(raft_calloc(size, sizeof(raft_entry_ref)));
  FORETELL_CHECK(table != nullptr);
  // All of a bucket's slots are of one index, so buckets move as they are.
  for (size_t i = 0; i < log.refs_size; ++i) {
    if (log.refs[i].count > 0) table[(log.refs[i].index - 1) % size] = log.refs[i];
  }
  raft_free(log.refs);
  log.refs = table;
  log.refs_size = size;
}

}  // namespace

void AddReference(raft_log& log, raft_index index, raft_term term) {
  if (index > log.refs_size) GrowReferences(log, index);
  raft_entry_ref* slot = &log.refs[(index - 1) % log.refs_size];
  if (slot->count == 0) {
    *slot = {.term = term, .index = index, .count = 1, .next = nullptr};
    return;
  }
  while (slot->term != term) {
    if (slot->next == nullptr) {
      slot->next = static_cast<raft_entry_ref*>(raft_calloc(1, sizeof(raft_entry_ref)));
      slot = slot->next;
      slot->term = term;
      slot->index = index;
      break;
    }
    slot = slot->next;
  }
  ++slot->count;
}

raft_entry Instance::Impl::MakeEntry(const Entry& entry) const {
  const std::string& data =
      entry.type == EntryType::kChange ? library_->configuration() : entry.data;
  raft_entry made{};
  made.term = entry.term;
  made.type = static_cast<unsigned short>(entry.type);
  made.buf.len = data.size();
  made.buf.base = raft_malloc(data.size());
  FORETELL_CHECK(made.buf.base != nullptr);
  std::memcpy(made.buf.base, data.data(), data.size());
  return made;
}

char* Instance::Impl::MakeAddress(model::NodeId node) const {
  const std::string text = library_->address(node);
  char* address = static_cast<char*>(raft_malloc(text.size() + 1));
  FORETELL_CHECK(address != nullptr);
  std::memcpy(address, text.c_str(), text.size() + 1);
  return address;
}

int Instance::Impl::OnLoad(raft_term* term, raft_id* vote, raft_snapshot** snapshot,
                           raft_index* start, raft_entry** entries, size_t* n) {
  *term = state.term;
  *vote = state.vote ? IdOf(*state.vote) : 0;
  *snapshot = nullptr;
  *start = 1;
  *n = state.log.size();
  *entries = static_cast<raft_entry*>(raft_malloc(*n * sizeof(raft_entry)));
  FORETELL_CHECK(*entries != nullptr);
  for (size_t i = 0; i < *n; ++i) (*entries)[i] = MakeEntry(state.log[i]);
  return 0;
}

void Instance::Impl::Open() {
  ConnectIo();
  now_ = kNow;
  const std::string address = library_->address(self_);
  FORETELL_CHECK(raft_init(&raft, &io, &fsm_, IdOf(self_), address.c_str()) == 0);
  raft_set_election_timeout(&raft, static_cast<unsigned>(Jump::kElection));
  raft_set_heartbeat_timeout(&raft, static_cast<unsigned>(Jump::kHeartbeat));
  raft_set_snapshot_threshold(&raft, UINT32_MAX);
  raft_set_pre_vote(&raft, library_->settings().pre_vote);
  FORETELL_CHECK(raft_start(&raft) == 0);
  open_ = true;
}

// The log comes from the load of an ordinary start, everything else is set afterwards: these are
// public fields, but for the appends that the library waits for.
void Instance::Impl::Build() {
  if (state.role == Role::kStopped) return;
  Open();
  raft.commit_index = state.commit;
  raft.last_applied = state.applied;
  raft.last_stored = state.stored;
  switch (state.role) {
    case Role::kStopped: break;
    case Role::kFollower:
      if (!state.leader) break;
      raft.follower_state.current_leader.id = IdOf(*state.leader);
      raft.follower_state.current_leader.address = MakeAddress(*state.leader);
      break;
    case Role::kCandidate: BuildCandidate(); break;
    case Role::kLeader: BuildLeader(); break;
  }
  pending_.clear();
  for (const Operation& operation : state.pending) BuildPending(operation);
}

void Instance::Impl::BuildCandidate() {
  const uint32_t n = library_->settings().node_count;
  raft.state = RAFT_CANDIDATE;
  auto& candidate = raft.candidate_state;
  candidate.randomized_election_timeout = raft.election_timeout;
  candidate.votes = static_cast<bool*>(raft_calloc(n, sizeof(bool)));
  FORETELL_CHECK(candidate.votes != nullptr);
  for (model::NodeId voter : state.votes) candidate.votes[voter.index()] = true;
  candidate.disrupt_leader = false;
  candidate.in_pre_vote = state.pre_vote;
}

void Instance::Impl::BuildLeader() {
  raft.state = RAFT_LEADER;
  auto& leader = raft.leader_state;
  leader = {};
  const size_t n = state.progress.size();
  leader.progress = static_cast<raft_progress*>(raft_calloc(n, sizeof(raft_progress)));
  FORETELL_CHECK(leader.progress != nullptr);
  for (size_t i = 0; i < n; ++i) {
    const Progress& progress = state.progress[i];
    leader.progress[i] = {.state = static_cast<unsigned short>(progress.mode),
                          .next_index = progress.next,
                          .match_index = progress.match,
                          .snapshot_index = 0,
                          .last_send = kNow,
                          .snapshot_last_send = 0,
                          .recent_recv = progress.heard};
  }
  InitQueue(leader.requests);
  for (uint64_t index : state.requests) {
    auto* request = static_cast<ApplyRequest*>(raft_calloc(1, sizeof(ApplyRequest)));
    FORETELL_CHECK(request != nullptr);
    request->type = RAFT_COMMAND;
    request->index = index;
    request->cb = Answered;
    PushQueue(leader.requests, request->queue);
  }
}

// The entries of an append share their memory with those of the log, where they are still there.
raft_entry* Instance::Impl::ReferToEntries(const Operation& operation) {
  const size_t n = operation.entries.size();
  auto* entries = static_cast<raft_entry*>(raft_calloc(n, sizeof(raft_entry)));
  FORETELL_CHECK(entries != nullptr);
  for (size_t i = 0; i < n; ++i) {
    const Entry& entry = operation.entries[i];
    const uint64_t index = operation.index + i;
    const bool in_log = index <= state.log.size() && state.log[index - 1] == entry;
    entries[i] = in_log ? EntryAt(raft.log, index) : MakeEntry(entry);
    AddReference(raft.log, index, entry.term);
  }
  return entries;
}

void Instance::Impl::BuildPending(const Operation& operation) {
  raft_io_append* request = nullptr;
  const auto n = static_cast<unsigned>(operation.entries.size());
  if (operation.kind == Operation::Kind::kLeaderAppend) {
    auto* append = static_cast<LeaderAppend*>(raft_calloc(1, sizeof(LeaderAppend)));
    FORETELL_CHECK(append != nullptr);
    append->raft = &raft;
    append->index = operation.index;
    append->entries = ReferToEntries(operation);
    append->n = n;
    append->req.data = append;
    append->req.cb = reinterpret_cast<raft_io_append_cb>(library_->leader_appended_);
    request = &append->req;
  } else if (operation.kind == Operation::Kind::kFollowerAppend) {
    auto* append = static_cast<FollowerAppend*>(raft_calloc(1, sizeof(FollowerAppend)));
    FORETELL_CHECK(append != nullptr);
    append->raft = &raft;
    append->index = operation.index;
    append->args.term = operation.term;
    append->args.prev_log_index = operation.prev;
    append->args.leader_commit = operation.leader_commit;
    append->args.entries = ReferToEntries(operation);
    append->args.n_entries = n;
    append->req.data = append;
    append->req.cb = reinterpret_cast<raft_io_append_cb>(library_->follower_appended_);
    request = &append->req;
  }
  pending_.push_back(request);
}

// What the library would release when it hears of the outcome, which it never will.
void Instance::Impl::ClosePending() {
  std::set<void*> buffers;
  for (size_t i = 0; i < pending_.size(); ++i) {
    if (pending_[i] == nullptr) continue;
    const bool leader = state.pending[i].kind == Operation::Kind::kLeaderAppend;
    auto* own = static_cast<LeaderAppend*>(pending_[i]->data);
    auto* foreign = static_cast<FollowerAppend*>(pending_[i]->data);
    raft_entry* entries = leader ? own->entries : foreign->args.entries;
    const unsigned n = leader ? own->n : foreign->args.n_entries;
    for (unsigned j = 0; j < n; ++j) buffers.insert(entries[j].buf.base);
    raft_free(entries);
    raft_free(pending_[i]->data);
  }
  pending_.clear();
  for (uint64_t i = 1; i <= LastIndex(raft.log); ++i) {
    buffers.erase(EntryAt(raft.log, i).buf.base);
  }
  for (void* buffer : buffers) raft_free(buffer);
  // Of entries that share an index with another, which the library expects to be gone by now.
  for (size_t i = 0; i < raft.log.refs_size; ++i) {
    for (raft_entry_ref* slot = std::exchange(raft.log.refs[i].next, nullptr); slot != nullptr;) {
      raft_free(std::exchange(slot, slot->next));
    }
  }
}

void Instance::Impl::Close() {
  if (!open_) return;
  open_ = false;
  const HeapScope heap(arena_);
  // An arena is emptied as a whole.
  if (arena_ == nullptr) {
    ClosePending();
    raft_close(&raft, nullptr);
  }
  pending_.clear();
}

}  // namespace foretell::integration::raft
