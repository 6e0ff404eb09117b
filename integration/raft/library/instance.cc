#include "foretell/integration/raft/library/instance.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/library/instance_impl.h"
#include "foretell/integration/raft/library/translate.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {
namespace {

// The library copies structures with padding from its stack. What it leaves there must not depend
// on what ran before.
__attribute__((noinline)) void ClearStackBelow() {
  char below[8192];
  std::memset(below, 0, sizeof(below));
  asm volatile("" : : "r"(below) : "memory");
}

}  // namespace

Instance::Impl::Impl(std::shared_ptr<const Library> library, model::NodeId self, State initial,
                     Memory memory)
    : state(std::move(initial)), library_(std::move(library)), self_(self), memory_(memory) {}

Instance::Impl::~Impl() {
  Close();
  if (arena_ != nullptr) arena_->in_use = false;
}

void Instance::Impl::Fail(const std::string& text) {
  if (effects_->failure.empty()) effects_->failure = text;
}

void Instance::Impl::ConnectIo() {
  io = {};
  fsm_ = {};
  io.version = 2;
  io.impl = this;
  io.init = [](raft_io*, raft_id, const char*) { return 0; };
  io.close = [](raft_io* i, raft_io_close_cb done) { done(i); };
  io.load = [](raft_io* i, raft_term* term, raft_id* vote, raft_snapshot** snapshot,
               raft_index* start, raft_entry** entries, size_t* n) {
    return static_cast<Impl*>(i->impl)->OnLoad(term, vote, snapshot, start, entries, n);
  };
  io.start = [](raft_io* i, unsigned, raft_io_tick_cb tick, raft_io_recv_cb recv) {
    static_cast<Impl*>(i->impl)->tick_ = tick;
    static_cast<Impl*>(i->impl)->recv_ = recv;
    return 0;
  };
  io.set_term = [](raft_io* i, raft_term term) {
    return static_cast<Impl*>(i->impl)->OnSetTerm(term);
  };
  io.set_vote = [](raft_io* i, raft_id id) { return static_cast<Impl*>(i->impl)->OnSetVote(id); };
  io.send = [](raft_io* i, raft_io_send* request, const raft_message* message,
               raft_io_send_cb done) {
    return static_cast<Impl*>(i->impl)->OnSend(request, *message, done);
  };
  io.append = [](raft_io* i, raft_io_append* request, const raft_entry* entries, unsigned n,
                 raft_io_append_cb done) {
    return static_cast<Impl*>(i->impl)->OnAppend(request, entries, n, done);
  };
  io.truncate = [](raft_io* i, raft_index index) {
    return static_cast<Impl*>(i->impl)->OnTruncate(index);
  };
  // There are no snapshots, and the library never needs one.
  io.snapshot_put = [](raft_io* i, unsigned, raft_io_snapshot_put*, const raft_snapshot*,
                       raft_io_snapshot_put_cb) {
    static_cast<Impl*>(i->impl)->Fail("the library takes a snapshot");
    return RAFT_IOERR;
  };
  io.snapshot_get = [](raft_io* i, raft_io_snapshot_get*, raft_io_snapshot_get_cb) {
    static_cast<Impl*>(i->impl)->Fail(
        "the leader wants to send a snapshot though none was ever taken: its log does not reach "
        "the follower's next index");
    return RAFT_NOTFOUND;
  };
  io.time = [](raft_io* i) { return static_cast<Impl*>(i->impl)->now_; };
  io.random = [](raft_io*, int min, int) { return min; };
  fsm_.version = 1;
  fsm_.data = this;
  fsm_.apply = [](raft_fsm* fsm, const raft_buffer*, void** result) {
    ++static_cast<Impl*>(fsm->data)->commands_applied_;
    *result = nullptr;
    return 0;
  };
}

// What a crash leaves: the library itself starts from it.
void Instance::Impl::StartFromDisk() {
  if (open_) return;
  Open();
  // The library takes the first entry for applied without telling the state machine.
  state.machine.shared = raft.last_applied;
  changed_from_ = UINT64_MAX;
}

void Instance::Impl::Receive(model::NodeId from, const Message& message) {
  const std::string address = library_->address(from);
  raft_message received{};
  received.server_id = IdOf(from);
  received.server_address = address.c_str();
  if (const auto* vote = std::get_if<RequestVote>(&message)) {
    received.type = RAFT_IO_REQUEST_VOTE;
    received.request_vote = {vote->term,          IdOf(from),           vote->last_log_index,
                             vote->last_log_term, vote->disrupt_leader, vote->pre_vote};
  } else if (const auto* result = std::get_if<RequestVoteResult>(&message)) {
    received.type = RAFT_IO_REQUEST_VOTE_RESULT;
    received.request_vote_result = {result->term, result->vote_granted,
                                    static_cast<raft_tribool>(result->pre_vote)};
  } else if (const auto* answer = std::get_if<AppendEntriesResult>(&message)) {
    received.type = RAFT_IO_APPEND_ENTRIES_RESULT;
    received.append_entries_result = {answer->term, answer->rejected, answer->last_log_index};
  } else {
    receiving_ = &std::get<AppendEntries>(message);
    if (raft.state == RAFT_LEADER && receiving_->term == raft.current_term) {
      return Fail(absl::StrCat("a leader of term ", raft.current_term,
                               " hears from another leader of that term"));
    }
    received.type = RAFT_IO_APPEND_ENTRIES;
    raft_append_entries& args = received.append_entries;
    args = {receiving_->term,
            receiving_->prev_log_index,
            receiving_->prev_log_term,
            receiving_->leader_commit,
            nullptr,
            0};
    MakeBatch(receiving_->entries, args);
  }
  recv_(&io, &received);
}

// As from a network: one piece of memory for all entries, which the library frees.
void Instance::Impl::MakeBatch(const std::vector<Entry>& entries, raft_append_entries& args) const {
  if (entries.empty()) return;
  const auto bytes = [this](const Entry& entry) -> const std::string& {
    return entry.type == EntryType::kChange ? library_->configuration() : entry.data;
  };
  size_t size = 0;
  for (const Entry& entry : entries) size += bytes(entry).size();
  auto* batch = static_cast<char*>(raft_malloc(size));
  args.n_entries = static_cast<unsigned>(entries.size());
  args.entries = static_cast<raft_entry*>(raft_calloc(entries.size(), sizeof(raft_entry)));
  FORETELL_CHECK(batch != nullptr);
  FORETELL_CHECK(args.entries != nullptr);
  char* at = batch;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string& data = bytes(entries[i]);
    std::memcpy(at, data.data(), data.size());
    raft_entry& entry = args.entries[i];
    entry.term = entries[i].term;
    entry.type = static_cast<unsigned short>(entries[i].type);
    entry.buf = {at, data.size()};
    entry.batch = batch;
    at += data.size();
  }
}

void Instance::Impl::Submit(const std::string& command) {
  auto* request = static_cast<ApplyRequest*>(raft_calloc(1, sizeof(ApplyRequest)));
  FORETELL_CHECK(request != nullptr);
  raft_buffer buffer = {raft_malloc(command.size()), command.size()};
  FORETELL_CHECK(buffer.base != nullptr);
  std::memcpy(buffer.base, command.data(), command.size());
  submitting_ = true;
  if (raft_apply(&raft, request, &buffer, 1, Answered) != 0) {
    raft_free(request);
    raft_free(buffer.base);
  }
}

// The library adds up what was stored and looks up indexes without looking whether they are in its
// log; its assertions, which would, are compiled out.
std::string Instance::Impl::WhyNotFinish(const Operation& operation, bool done) const {
  const uint64_t last = LastIndex(raft.log);
  if (!done) {
    if (operation.kind != Operation::Kind::kLeaderAppend || operation.index <= last + 1) return "";
    return absl::StrCat("the library, after a failed append, cuts its log off at ", operation.index,
                        ", though it ends at ", last);
  }
  uint64_t present = 0;
  for (const Entry& entry : operation.entries) {
    const uint64_t index = operation.index + present;
    if (index > last || EntryAt(raft.log, index).term != entry.term) break;
    ++present;
  }
  if (raft.last_stored + present <= last) return "";
  return absl::StrCat("the library counts ", raft.last_stored + present,
                      " entries as stored, its log has ", last);
}

void Instance::Impl::Finish(bool done) {
  const Operation operation = state.pending.front();
  raft_io_append* request = open_ ? pending_.front() : nullptr;
  if (request != nullptr) {
    if (std::string why = WhyNotFinish(operation, done); !why.empty()) return Fail(why);
  }
  if (open_) pending_.erase(pending_.begin());
  if (done) {
    Complete(state);
  } else {
    state.pending.erase(state.pending.begin());
  }
  if (request == nullptr) return;
  finishing_ = &operation;
  if (!done) changed_from_ = operation.index;
  request->cb(request, done ? 0 : RAFT_IOERR);
  finishing_ = nullptr;
}

bool Instance::Impl::LoseWrite() {
  return effects_->disk_fails != nullptr && effects_->disk_fails();
}

int Instance::Impl::OnSetTerm(raft_term term) {
  if (LoseWrite()) return RAFT_IOERR;
  state.term = term;
  state.vote.reset();
  return 0;
}

int Instance::Impl::OnSetVote(raft_id id) {
  if (LoseWrite()) return RAFT_IOERR;
  state.vote.reset();
  if (id != 0) state.vote = NodeOf(id);
  return 0;
}

int Instance::Impl::OnTruncate(raft_index index) {
  state.pending.push_back({.kind = Operation::Kind::kTruncate, .index = index});
  pending_.push_back(nullptr);
  changed_from_ = std::min(changed_from_, static_cast<uint64_t>(index));
  return 0;
}

int Instance::Impl::OnAppend(raft_io_append* request, const raft_entry* entries, unsigned n,
                             raft_io_append_cb done) {
  Operation operation;
  // The library's own structures around the request must be as we build them.
  bool known = false;
  if (submitting_) {
    const auto* append = static_cast<const LeaderAppend*>(request->data);
    known = &append->req == request && append->raft == &raft && append->entries == entries &&
            append->n == n;
    operation.kind = Operation::Kind::kLeaderAppend;
    operation.index = known ? append->index : 0;
  } else {
    const auto* append = static_cast<const FollowerAppend*>(request->data);
    const raft_append_entries& args = append->args;
    known = receiving_ != nullptr && &append->req == request && append->raft == &raft &&
            args.entries == entries && args.n_entries == n && args.term == receiving_->term &&
            args.prev_log_index == receiving_->prev_log_index &&
            args.prev_log_term == receiving_->prev_log_term &&
            args.leader_commit == receiving_->leader_commit;
    operation.kind = Operation::Kind::kFollowerAppend;
    operation.index = known ? append->index : 0;
    operation.prev = known ? args.prev_log_index : 0;
    operation.leader_commit = known ? args.leader_commit : 0;
    if (known && library_->settings().verified_tail) operation.term = args.term;
  }
  if (!known || operation.index == 0) {
    Fail("the library's appends are not those of version 0.15.0");
    return RAFT_IOERR;
  }
  request->cb = done;
  appended[submitting_ ? 0 : 1] = reinterpret_cast<Library::Callback>(done);
  for (unsigned i = 0; i < n; ++i) operation.entries.push_back(ReadEntry(entries[i]));
  state.pending.push_back(std::move(operation));
  pending_.push_back(request);
  return 0;
}

// With Settings::verified_tail: up to where the message that is being answered shows this log to be
// the leader's. 0: it was not from the leader that gets the answer.
uint64_t Instance::Impl::VerifiedIndex() const {
  if (receiving_ != nullptr) return receiving_->prev_log_index + receiving_->entries.size();
  if (finishing_ == nullptr || finishing_->term != raft.current_term) return 0;
  return finishing_->index + finishing_->entries.size() - 1;
}

int Instance::Impl::OnSend(raft_io_send* request, const raft_message& message,
                           raft_io_send_cb done) {
  sent_.emplace_back(request, done);
  // To nobody, if there is no leader to answer to. Whoever sends that, it does not arrive.
  if (message.server_id == 0 || message.server_id > library_->settings().node_count) return 0;
  std::optional<Message> sent = FromLibrary(message);
  if (!sent) {
    Fail(absl::StrCat("the library sends a message of type ", message.type));
    return 0;
  }
  if (message.type == RAFT_IO_APPEND_ENTRIES) {
    const raft_append_entries& append = message.append_entries;
    for (unsigned i = 0; i < append.n_entries; ++i) CheckConfiguration(append.entries[i]);
  }
  auto* answer = std::get_if<AppendEntriesResult>(&*sent);
  if (library_->settings().verified_tail && answer != nullptr && answer->rejected == 0) {
    const uint64_t verified = VerifiedIndex();
    if (verified == 0) return 0;
    answer->last_log_index = std::min(answer->last_log_index, verified);
  }
  effects_->sends.emplace_back(NodeOf(message.server_id), *std::move(sent));
  return 0;
}

Instance::Instance(std::shared_ptr<const Library> library, model::NodeId self, State state,
                   Memory memory)
    : impl_(std::make_unique<Impl>(std::move(library), self, std::move(state), memory)) {}
Instance::~Instance() = default;
Instance::Instance(Instance&&) noexcept = default;
Instance& Instance::operator=(Instance&&) noexcept = default;

const State& Instance::state() const { return impl_->state; }
Budget& Instance::budget() { return impl_->state.budget; }

void Instance::Start(size_t written, Effects& effects) {
  State& state = impl_->state;
  FORETELL_CHECK(state.role == Role::kStopped);
  for (; written > 0 && CanComplete(state); --written) Complete(state);
  state.pending.clear();
  state.log = state.disk.Expand(state.log);
  state.disk = {.shared = state.log.size(), .rest = {}};
  impl_->Run(Impl::Jump::kNone, effects, [this] { impl_->StartFromDisk(); });
}

void Instance::Deliver(model::NodeId from, const Message& message, Effects& effects) {
  if (impl_->state.role == Role::kStopped) return;
  impl_->Run(Impl::Jump::kNone, effects, [&] {
    ClearStackBelow();
    impl_->Receive(from, message);
  });
}

void Instance::TimeOut(Effects& effects) {
  if (impl_->state.role == Role::kStopped) return;
  impl_->Run(Impl::Jump::kElection, effects, [this] {
    ClearStackBelow();
    impl_->Tick();
  });
}

void Instance::SendHeartbeats(Effects& effects) {
  if (impl_->state.role == Role::kStopped) return;
  impl_->Run(Impl::Jump::kHeartbeat, effects, [this] {
    ClearStackBelow();
    impl_->Tick();
  });
}

// To the library it is all one clock; what a long time means depends on the role.
void Instance::CheckContacts(Effects& effects) { TimeOut(effects); }

void Instance::Apply(const std::string& command, Effects& effects) {
  if (impl_->state.role == Role::kStopped) return;
  impl_->Run(Impl::Jump::kNone, effects, [&] {
    ClearStackBelow();
    impl_->Submit(command);
  });
}

void Instance::FinishWrite(bool done, Effects& effects) {
  impl_->Run(Impl::Jump::kNone, effects, [&] {
    ClearStackBelow();
    impl_->Finish(done);
  });
}

}  // namespace foretell::integration::raft
