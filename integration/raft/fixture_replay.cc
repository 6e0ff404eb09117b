#include "integration/raft/fixture_replay.h"

extern "C" {
#include <raft.h>
#include <raft/fixture.h>
}

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/check.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;

// The library's own defaults, set again so that nobody has to look them up.
constexpr unsigned kTickMs = 100;
constexpr unsigned kElectionMs = 1000;
// Longer than any schedule takes.
constexpr unsigned kNeverMs = 0x7fffffff;

Entry EntryOf(const raft_entry& entry) {
  Entry result{.term = entry.term, .type = static_cast<EntryType>(entry.type)};
  if (entry.type != RAFT_CHANGE) {
    result.data.assign(static_cast<const char*>(entry.buf.base), entry.buf.len);
  }
  return result;
}

// Messages that the judge cannot follow are empty votes of term 0, which nobody delivers.
Message MessageOf(const raft_message& message) {
  switch (message.type) {
    case RAFT_IO_REQUEST_VOTE: {
      const raft_request_vote& m = message.request_vote;
      return RequestVote{m.term, m.last_log_index, m.last_log_term, m.disrupt_leader, m.pre_vote};
    }
    case RAFT_IO_REQUEST_VOTE_RESULT: {
      const raft_request_vote_result& m = message.request_vote_result;
      return RequestVoteResult{m.term, m.vote_granted, static_cast<Tribool>(m.pre_vote)};
    }
    case RAFT_IO_APPEND_ENTRIES: {
      const raft_append_entries& m = message.append_entries;
      AppendEntries result{m.term, m.prev_log_index, m.prev_log_term, m.leader_commit, {}};
      for (unsigned i = 0; i < m.n_entries; ++i) result.entries.push_back(EntryOf(m.entries[i]));
      return result;
    }
    case RAFT_IO_APPEND_ENTRIES_RESULT: {
      const raft_append_entries_result& m = message.append_entries_result;
      return AppendEntriesResult{m.term, m.rejected, m.last_log_index};
    }
    default: return RequestVote{};
  }
}

int TypeOf(const Message& message) {
  constexpr int kTypes[] = {RAFT_IO_REQUEST_VOTE, RAFT_IO_REQUEST_VOTE_RESULT,
                            RAFT_IO_APPEND_ENTRIES, RAFT_IO_APPEND_ENTRIES_RESULT};
  return kTypes[message.index()];
}

template <class T>
bool IsAction(const Happening& happening) {
  return happening.kind == EventKind::kAction && std::holds_alternative<T>(happening.action);
}

bool IsTick(const Happening& happening) {
  return IsAction<ElectionTimeout>(happening) || IsAction<Heartbeat>(happening) ||
         IsAction<ContactCheck>(happening);
}

const char* RoleName(int role) {
  constexpr const char* kNames[] = {"unavailable", "follower", "candidate", "leader"};
  return role >= 0 && role < 4 ? kNames[role] : "of no role";
}

}  // namespace

class FixtureReplay::Impl {
 public:
  Impl(unsigned servers, Schedule schedule);
  ~Impl();
  Impl(const Impl&) = delete;

  absl::Status Next();
  FixtureServer Look(unsigned server) const;
  unsigned servers() const { return static_cast<unsigned>(servers_.size()); }

  const Schedule schedule;
  size_t at = 0;  // The event that is next, or happening.
  std::vector<FixtureAnswer> answers;

 private:
  struct Sent {
    unsigned to;
    Message message;
  };
  // An append that the simulator was asked for, with a copy of the entries: a crash takes the
  // library's own.
  struct Write {
    raft_io_append simulated = {};
    raft_io* io = nullptr;
    raft_io_append* request = nullptr;
    const raft_entry* acquired = nullptr;
    raft_io_append_cb done = nullptr;
    bool forgotten = false;
    bool fails = false;
    std::vector<std::string> contents;
    std::vector<raft_entry> entries;
  };
  struct DiskOperation {
    Write* write = nullptr;  // Null: a truncation ...
    raft_index index = 0;    // ... from here on.
  };
  struct Disk {
    size_t issued = 0;                      // Operations asked for.
    size_t done = 0;                        // ... and finished, as the schedule has it.
    std::deque<DiskOperation> under_way{};  // Oldest first.
  };
  struct Server {
    raft_fsm fsm = {};
    bool up = true;
    uint64_t next_tick = kTickMs;
    std::deque<Sent> outbox;  // Handed to the simulator, not yet on the wire.
    Disk disk;
    std::vector<std::string> commands;
    uint64_t led = 0;
  };
  struct Request {
    struct raft_apply apply;
    Impl* impl;
    unsigned server;
    std::string command;
  };

  // The functions that the simulator and the library call.
  static Impl& Of(raft_io* io) { return *static_cast<Impl*>(RaftOf(io).data); }
  static ::raft& RaftOf(raft_io* io) { return *static_cast<::raft*>(io->data); }
  static unsigned IndexOf(raft_io* io) { return static_cast<unsigned>(RaftOf(io).id - 1); }
  static int OnSend(raft_io* io, raft_io_send* request, const raft_message* message,
                    raft_io_send_cb done);
  static int OnAppend(raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned n,
                      raft_io_append_cb done);
  static void OnStored(raft_io_append* simulated, int status);
  static int OnTruncate(raft_io* io, raft_index index);
  static int OnApply(raft_fsm* fsm, const raft_buffer* buffer, void** result);
  static int OnSnapshot(raft_fsm*, raft_buffer**, unsigned*) { return RAFT_BUSY; }
  static int OnRestore(raft_fsm*, raft_buffer*) { return RAFT_IOERR; }
  static void OnAnswer(struct raft_apply* apply, int status, void* result);

  ::raft& Raft(unsigned server) { return *raft_fixture_get(&fixture_, server); }
  static void LookAtRole(const ::raft& raft, FixtureServer& view);
  void Watch(unsigned server);
  void PlanTimes();
  // When the `number`-th disk operation of `server` (from 0) is done; kNeverMs from now if never.
  unsigned DiskLatency(unsigned server, size_t number) const;
  unsigned NetworkLatency(unsigned from, const Sent& sent);

  absl::Status Play(const Happening& happening);
  absl::Status Deliver(const Happening& happening);
  absl::Status Tick(const Happening& happening);
  absl::Status CheckTick(const Happening& happening, uint64_t term_before);
  absl::Status Apply(const Happening& happening);
  absl::Status Stored(const Happening& happening);
  absl::Status Cut(const Happening& happening);
  static void Crash(Server& server);
  void Recover(unsigned server, const DiskOperation& operation);
  absl::Status Restart(const Happening& happening);
  // Puts what `server` has sent on the wire.
  absl::Status Flush(unsigned server);
  // Lets the simulator do one thing, ticks that nobody hears apart.
  absl::Status StepTo(int type, unsigned server, uint64_t time);
  void StepOnce();
  // Lets time pass in which nothing happens.
  absl::Status AdvanceTo(uint64_t time);
  absl::Status Deviates(const std::string& what) const;
  absl::Status Impossible(const std::string& why) const;

  mutable raft_fixture fixture_ = {};
  raft_io plain_ = {};  // The simulator's own functions.
  std::vector<Server> servers_;
  std::vector<uint64_t> times_;  // Of each event.
  std::vector<bool> claimed_;    // Of each delivery: a message is on its way.
  std::deque<Request> requests_;
  std::deque<Write> writes_;
};

FixtureReplay::Impl::Impl(unsigned servers, Schedule events)
    : schedule(std::move(events)), servers_(servers), claimed_(schedule.size()) {
  FORETELL_CHECK(servers >= 1);
  FORETELL_CHECK(servers <= RAFT_FIXTURE_MAX_SERVERS);
  FORETELL_CHECK(raft_fixture_initialize(&fixture_) == 0);
  for (unsigned i = 0; i < servers; ++i) {
    raft_fsm& fsm = servers_[i].fsm;
    fsm.version = 1;
    fsm.data = &servers_[i];
    fsm.apply = OnApply;
    fsm.snapshot = OnSnapshot;
    fsm.restore = OnRestore;
    FORETELL_CHECK(raft_fixture_grow(&fixture_, &fsm) == 0);
    raft_fixture_set_randomized_election_timeout(&fixture_, i, kElectionMs);
  }
  plain_ = fixture_.servers[0].io;
  raft_configuration configuration;
  FORETELL_CHECK(raft_fixture_configuration(&fixture_, servers, &configuration) == 0);
  FORETELL_CHECK(raft_fixture_bootstrap(&fixture_, &configuration) == 0);
  raft_configuration_close(&configuration);
  for (unsigned i = 0; i < servers; ++i) Watch(i);
  FORETELL_CHECK(raft_fixture_start(&fixture_) == 0);
  PlanTimes();
}

FixtureReplay::Impl::~Impl() {
  // Ends with the callbacks of everything under way, which still find all of this.
  at = schedule.size();
  raft_fixture_close(&fixture_);
}

void FixtureReplay::Impl::Watch(unsigned server) {
  ::raft& raft = Raft(server);
  raft.data = this;
  raft_set_election_timeout(&raft, kElectionMs);
  raft_set_heartbeat_timeout(&raft, kTickMs);
  raft_io& io = fixture_.servers[server].io;
  io.send = OnSend;
  io.append = OnAppend;
  io.truncate = OnTruncate;
  // A dead server of the fixture handles messages and its disk, but its clock does not tick; and
  // the fixture, which ends the process when two leaders have one term, does not look at it.
  fixture_.servers[server].alive = false;
}

void FixtureReplay::Impl::PlanTimes() {
  std::vector<uint64_t> phase(servers_.size(), 0);  // Of each server's ticks.
  uint64_t now = 0;
  for (const Happening& happening : schedule) {
    if (IsTick(happening)) {
      const uint64_t waits = IsAction<Heartbeat>(happening) ? kTickMs : kElectionMs;
      const uint64_t behind = (now + waits - phase[happening.server]) % kTickMs;
      now += waits + (behind == 0 ? 0 : kTickMs - behind);
    } else {
      ++now;
    }
    if (happening.kind == EventKind::kRestart) phase[happening.server] = now % kTickMs;
    times_.push_back(now);
  }
}

int FixtureReplay::Impl::OnSend(raft_io* io, raft_io_send* request, const raft_message* message,
                                raft_io_send_cb done) {
  Impl& impl = Of(io);
  const int status = impl.plain_.send(io, request, message, done);
  if (status == 0) {
    impl.servers_[IndexOf(io)].outbox.push_back(
        {static_cast<unsigned>(message->server_id - 1), MessageOf(*message)});
  }
  return status;
}

int FixtureReplay::Impl::OnAppend(raft_io* io, raft_io_append* request, const raft_entry* entries,
                                  unsigned n, raft_io_append_cb done) {
  Impl& impl = Of(io);
  Disk& disk = impl.servers_[IndexOf(io)].disk;
  raft_fixture_set_disk_latency(&impl.fixture_, IndexOf(io),
                                impl.DiskLatency(IndexOf(io), disk.issued++));
  Write& write = impl.writes_.emplace_back();
  write.io = io;
  write.request = request;
  write.acquired = entries;
  write.done = done;
  for (unsigned i = 0; i < n; ++i) {
    write.contents.emplace_back(static_cast<const char*>(entries[i].buf.base), entries[i].buf.len);
  }
  for (unsigned i = 0; i < n; ++i) {
    std::string& data = write.contents[i];
    write.entries.push_back(
        {entries[i].term, entries[i].type, {data.data(), data.size()}, nullptr});
  }
  write.simulated.data = &write;
  disk.under_way.push_back({&write, 0});
  return impl.plain_.append(io, &write.simulated, write.entries.data(), n, OnStored);
}

void FixtureReplay::Impl::OnStored(raft_io_append* simulated, int status) {
  const auto& write = *static_cast<Write*>(simulated->data);
  if (write.forgotten) return;
  if (write.fails) {
    // The simulator's disk never fails, and has it by now.
    const size_t size = Of(write.io).Look(IndexOf(write.io)).disk.size();
    FORETELL_CHECK(Of(write.io).plain_.truncate(write.io, size + 1 - write.entries.size()) == 0);
  }
  write.done(write.request, write.fails ? RAFT_IOERR : status);
}

int FixtureReplay::Impl::OnTruncate(raft_io* io, raft_index index) {
  Disk& disk = Of(io).servers_[IndexOf(io)].disk;
  ++disk.issued;
  disk.under_way.push_back({nullptr, index});
  return 0;
}

int FixtureReplay::Impl::OnApply(raft_fsm* fsm, const raft_buffer* buffer, void** result) {
  *result = nullptr;
  static_cast<Server*>(fsm->data)->commands.emplace_back(static_cast<const char*>(buffer->base),
                                                         buffer->len);
  return 0;
}

void FixtureReplay::Impl::OnAnswer(struct raft_apply* apply, int status, void*) {
  const auto& request = *static_cast<Request*>(apply->data);
  request.impl->answers.push_back({request.server, request.command, status});
}

unsigned FixtureReplay::Impl::DiskLatency(unsigned server, size_t number) const {
  size_t done = servers_[server].disk.done;
  for (size_t i = at; i < schedule.size(); ++i) {
    if (schedule[i].server != server) continue;
    if (schedule[i].kind == EventKind::kCrash) break;
    if (!IsAction<DiskDone>(schedule[i]) && !IsAction<DiskFail>(schedule[i])) continue;
    // What is happening now is about an older operation.
    if (done++ == number && i > at) return static_cast<unsigned>(times_[i] - fixture_.time);
  }
  return kNeverMs;
}

unsigned FixtureReplay::Impl::NetworkLatency(unsigned from, const Sent& sent) {
  const std::string key = Key(sent.message);
  for (size_t i = at + 1; i < schedule.size(); ++i) {
    const Happening& later = schedule[i];
    if (claimed_[i] || later.kind != EventKind::kDeliver) continue;
    if (later.peer != from || later.server != sent.to || Key(later.message) != key) continue;
    claimed_[i] = true;
    return static_cast<unsigned>(times_[i] - fixture_.time);
  }
  return kNeverMs;
}

absl::Status FixtureReplay::Impl::Deviates(const std::string& what) const {
  return absl::FailedPreconditionError(
      absl::StrCat("step ", at + 1, ", ", Text(schedule[at]), ": ", what));
}

absl::Status FixtureReplay::Impl::Impossible(const std::string& why) const {
  return absl::UnimplementedError(
      absl::StrCat("step ", at + 1, ", ", Text(schedule[at]), ": ", why));
}

void FixtureReplay::Impl::StepOnce() {
  raft_fixture_step(&fixture_);
  if (fixture_.event.type == RAFT_FIXTURE_TICK) {
    servers_[fixture_.event.server_index].next_tick += kTickMs;
  }
}

absl::Status FixtureReplay::Impl::StepTo(int type, unsigned server, uint64_t time) {
  do {
    StepOnce();
  } while (fixture_.event.type == RAFT_FIXTURE_TICK && fixture_.time <= time);
  const raft_fixture_event& event = fixture_.event;
  if (event.type == type && event.server_index == server && fixture_.time == time) {
    return absl::OkStatus();
  }
  return Deviates(absl::StrCat("the fixture had event ", event.type, " of server ",
                               event.server_index + 1, " at ", fixture_.time, " ms instead of ",
                               type, " of server ", server + 1, " at ", time, " ms"));
}

absl::Status FixtureReplay::Impl::AdvanceTo(uint64_t time) {
  for (unsigned i = 0; i < servers_.size(); ++i) {
    while (servers_[i].next_tick <= time) {
      StepOnce();
      if (fixture_.event.type != RAFT_FIXTURE_TICK) return Deviates("something came before it");
    }
  }
  fixture_.time = time;
  return absl::OkStatus();
}

absl::Status FixtureReplay::Impl::Flush(unsigned server) {
  std::deque<Sent>& outbox = servers_[server].outbox;
  while (!outbox.empty()) {
    raft_fixture_set_network_latency(&fixture_, server, NetworkLatency(server, outbox.front()));
    const int type = TypeOf(outbox.front().message);
    const unsigned before = raft_fixture_n_send(&fixture_, server, type);
    // A follower may answer a leader that it does not know any more; that goes nowhere.
    const bool known = outbox.front().to < servers_.size();
    outbox.pop_front();
    if (absl::Status flushed = StepTo(RAFT_FIXTURE_NETWORK, server, fixture_.time); !flushed.ok()) {
      return flushed;
    }
    if (known && raft_fixture_n_send(&fixture_, server, type) != before + 1) {
      return Deviates("the fixture did not send what the library handed to it");
    }
  }
  return absl::OkStatus();
}

absl::Status FixtureReplay::Impl::Next() {
  FORETELL_CHECK(at < schedule.size());
  const Happening& happening = schedule[at];
  if (happening.server >= servers_.size() || happening.peer >= servers_.size()) {
    return Impossible(absl::StrCat("there are ", servers_.size(), " servers"));
  }
  absl::Status played = Play(happening);
  for (unsigned i = 0; i < servers_.size() && played.ok(); ++i) {
    played = Flush(i);
    if (Raft(i).state == RAFT_LEADER) servers_[i].led = Raft(i).current_term;
  }
  if (played.ok()) ++at;
  return played;
}

absl::Status FixtureReplay::Impl::Play(const Happening& happening) {
  if (happening.failing) return Impossible("the fixture has no disk operation that fails here");
  if (happening.kind == EventKind::kDeliver) return Deliver(happening);
  if (IsTick(happening)) return Tick(happening);
  const std::deque<DiskOperation>& under_way = servers_[happening.server].disk.under_way;
  const bool disk = IsAction<DiskDone>(happening) || IsAction<DiskFail>(happening);
  if (disk && !under_way.empty() && under_way.front().write != nullptr) return Stored(happening);
  // The rest is not the simulator's doing: it is done to it.
  if (absl::Status advanced = AdvanceTo(times_[at]); !advanced.ok()) return advanced;
  switch (happening.kind) {
    case EventKind::kCrash: Crash(servers_[happening.server]); return absl::OkStatus();
    case EventKind::kRestart: return Restart(happening);
    case EventKind::kBreak: return absl::OkStatus();  // What is lost is not delivered.
    case EventKind::kDeliver:
    case EventKind::kAction: break;
  }
  if (IsAction<Put>(happening)) return Apply(happening);
  if (IsAction<DiskDone>(happening)) return Cut(happening);
  return Impossible("nobody is told of a truncation that fails");
}

absl::Status FixtureReplay::Impl::Deliver(const Happening& happening) {
  if (!claimed_[at]) return Deviates("no server of the fixture has sent that");
  const int type = TypeOf(happening.message);
  const unsigned before = raft_fixture_n_recv(&fixture_, happening.server, type);
  absl::Status status = StepTo(RAFT_FIXTURE_NETWORK, happening.peer, times_[at]);
  if (status.ok() && raft_fixture_n_recv(&fixture_, happening.server, type) != before + 1) {
    return Deviates("the fixture delivered something else");
  }
  return status;
}

absl::Status FixtureReplay::Impl::Tick(const Happening& happening) {
  const unsigned server = happening.server;
  for (unsigned i = 0; i < servers_.size(); ++i) {
    for (unsigned j = 0; j < i; ++j) {
      if (Raft(i).state == RAFT_LEADER && Raft(j).state == RAFT_LEADER &&
          Raft(i).current_term == Raft(j).current_term) {
        return Impossible("the fixture ends the process when two leaders have one term");
      }
    }
  }
  const int role = Raft(server).state;
  if ((role == RAFT_LEADER) == IsAction<ElectionTimeout>(happening)) {
    return Deviates(absl::StrCat("the server is ", RoleName(role)));
  }
  while (servers_[server].next_tick < times_[at]) {
    StepOnce();
    if (fixture_.event.type != RAFT_FIXTURE_TICK) return Deviates("something came before the tick");
  }
  const uint64_t term = Raft(server).current_term;
  // Heartbeats come ten times as often as a leader counts who answers; here one must do without.
  if (IsAction<Heartbeat>(happening)) Raft(server).election_timeout = kNeverMs;
  fixture_.servers[server].alive = true;
  do {
    StepOnce();
  } while (fixture_.event.type == RAFT_FIXTURE_TICK && fixture_.event.server_index != server);
  fixture_.servers[server].alive = false;
  Raft(server).election_timeout = kElectionMs;
  if (fixture_.event.type != RAFT_FIXTURE_TICK || fixture_.time != times_[at]) {
    return Deviates(absl::StrCat("no tick at ", times_[at], " ms, but event ", fixture_.event.type,
                                 " at ", fixture_.time, " ms"));
  }
  return CheckTick(happening, term);
}

absl::Status FixtureReplay::Impl::CheckTick(const Happening& happening, uint64_t term_before) {
  const ::raft& raft = Raft(happening.server);
  bool right = true;
  if (IsAction<ElectionTimeout>(happening)) {
    right = raft.state == RAFT_CANDIDATE && raft.current_term == term_before + 1;
  } else if (IsAction<Heartbeat>(happening)) {
    right = raft.state == RAFT_LEADER;
  }
  if (right) return absl::OkStatus();
  return Deviates(absl::StrCat("afterwards the server is ", RoleName(raft.state), " of term ",
                               raft.current_term, ", before it was in term ", term_before));
}

absl::Status FixtureReplay::Impl::Apply(const Happening& happening) {
  const Put& put = std::get<Put>(happening.action);
  const std::string command = absl::StrCat("put ", put.key, " ", put.value);
  raft_buffer buffer;
  buffer.len = command.size();
  buffer.base = raft_malloc(command.size());
  FORETELL_CHECK(buffer.base != nullptr);
  std::memcpy(buffer.base, command.data(), command.size());
  Request& request = requests_.emplace_back(Request{{}, this, happening.server, command});
  request.apply.data = &request;
  const int status = raft_apply(&Raft(happening.server), &request.apply, &buffer, 1, OnAnswer);
  if (status == 0) return absl::OkStatus();
  raft_free(buffer.base);
  return Deviates(absl::StrCat("the server refuses it: ", raft_strerror(status)));
}

absl::Status FixtureReplay::Impl::Stored(const Happening& happening) {
  Disk& disk = servers_[happening.server].disk;
  ++disk.done;
  disk.under_way.front().write->fails = IsAction<DiskFail>(happening);
  disk.under_way.pop_front();
  return StepTo(RAFT_FIXTURE_DISK, happening.server, times_[at]);
}

absl::Status FixtureReplay::Impl::Cut(const Happening& happening) {
  Disk& disk = servers_[happening.server].disk;
  if (disk.under_way.empty()) return Deviates("its disk has nothing to do");
  raft_io& io = fixture_.servers[happening.server].io;
  const int status = plain_.truncate(&io, disk.under_way.front().index);
  ++disk.done;
  disk.under_way.pop_front();
  if (status == 0) return absl::OkStatus();
  return Deviates(absl::StrCat("the disk refuses it: ", raft_strerror(status)));
}

// The library will not hear of what was under way, and cannot free what it keeps for it.
void FixtureReplay::Impl::Crash(Server& server) {
  server.up = false;
  for (const DiskOperation& operation : server.disk.under_way) {
    if (operation.write == nullptr) continue;
    operation.write->forgotten = true;
    raft_free(const_cast<raft_entry*>(operation.write->acquired));
    raft_free(operation.write->request->data);
  }
}

// What the disk did of it all the same.
void FixtureReplay::Impl::Recover(unsigned server, const DiskOperation& operation) {
  if (operation.write == nullptr) {
    raft_io& io = fixture_.servers[server].io;
    FORETELL_CHECK(plain_.truncate(&io, operation.index) == 0);
    return;
  }
  for (raft_entry entry : operation.write->entries) {
    void* const data = raft_malloc(entry.buf.len);
    FORETELL_CHECK(data != nullptr);
    std::memcpy(data, entry.buf.base, entry.buf.len);
    entry.buf.base = data;
    raft_fixture_add_entry(&fixture_, server, &entry);
  }
}

// The fixture can silence servers, not restart them; but its disk is a raft_io like any other, so
// that a new instance can start from it.
absl::Status FixtureReplay::Impl::Restart(const Happening& happening) {
  Server& server = servers_[happening.server];
  raft_fixture_server& simulated = fixture_.servers[happening.server];
  raft_close(&simulated.raft, nullptr);
  server.commands.clear();
  for (size_t i = 0; i < happening.written && i < server.disk.under_way.size(); ++i) {
    Recover(happening.server, server.disk.under_way[i]);
  }
  server.disk = {};
  FORETELL_CHECK(
      raft_init(&simulated.raft, &simulated.io, &server.fsm, simulated.id, simulated.address) == 0);
  simulated.raft.tracer = &simulated.tracer;
  Watch(happening.server);
  if (const int status = raft_start(&simulated.raft); status != 0) {
    return Deviates(absl::StrCat("it does not start: ", raft_strerror(status)));
  }
  server.next_tick = fixture_.time + kTickMs;
  server.up = true;
  return absl::OkStatus();
}

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
    view.log.push_back(EntryOf(log.entries[i]));
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
  for (size_t i = 0; i < n; ++i) view.disk.push_back(EntryOf(entries[i]));
  if (n > 0) raft_free(entries[0].batch);
  raft_free(entries);
  return view;
}

FixtureReplay::FixtureReplay(unsigned servers, Schedule schedule)
    : impl_(std::make_unique<Impl>(servers, std::move(schedule))) {}
FixtureReplay::~FixtureReplay() = default;

size_t FixtureReplay::at() const { return impl_->at; }
bool FixtureReplay::done() const { return impl_->at == impl_->schedule.size(); }
absl::Status FixtureReplay::Next() { return impl_->Next(); }
unsigned FixtureReplay::servers() const { return impl_->servers(); }
FixtureServer FixtureReplay::Look(unsigned server) const { return impl_->Look(server); }
const std::vector<FixtureAnswer>& FixtureReplay::answers() const { return impl_->answers; }

}  // namespace foretell::integration::raft
