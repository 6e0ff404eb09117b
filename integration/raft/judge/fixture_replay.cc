#include "foretell/integration/raft/judge/fixture_replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/fixture_replay_impl.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;

int TypeOf(const Message& message) {
  constexpr int kTypes[] = {RAFT_IO_REQUEST_VOTE, RAFT_IO_REQUEST_VOTE_RESULT,
                            RAFT_IO_APPEND_ENTRIES, RAFT_IO_APPEND_ENTRIES_RESULT};
  return kTypes[message.index()];
}

const char* RoleName(int role) {
  constexpr const char* kNames[] = {"unavailable", "follower", "candidate", "leader"};
  return role >= 0 && role < 4 ? kNames[role] : "of no role";
}

}  // namespace

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
    case EventKind::kAction: break;
    default:
      return Impossible(absl::StrCat("the fixture has no ", model::KindName(happening.kind)));
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
