// What the simulator and the library call while a schedule is played, and when what they ask for is
// to be done.

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/fixture_replay_impl.h"
#include "foretell/integration/raft/library/translate.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {

using model::EventKind;

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
    // What we cannot follow is an empty vote of term 0, which nobody delivers.
    impl.servers_[IndexOf(io)].outbox.push_back(
        {static_cast<unsigned>(message->server_id - 1), FromLibrary(*message).value_or(Message())});
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

}  // namespace foretell::integration::raft
