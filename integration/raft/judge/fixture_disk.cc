// Disks, crashes and restarts: what is done to the simulator rather than by it.

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/fixture_replay_impl.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {

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

}  // namespace foretell::integration::raft
