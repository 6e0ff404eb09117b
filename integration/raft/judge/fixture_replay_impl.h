#pragma once

// Ours alone, as instance_impl.h.

#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "foretell/integration/raft/judge/fixture_replay.h"

extern "C" {
#include <raft.h>
#include <raft/fixture.h>
}

namespace foretell::integration::raft {

// The library's own defaults, set again so that nobody has to look them up.
inline constexpr unsigned kTickMs = 100;
inline constexpr unsigned kElectionMs = 1000;
// Longer than any schedule takes.
inline constexpr unsigned kNeverMs = 0x7fffffff;

template <class T>
bool IsAction(const Happening& happening) {
  return happening.kind == model::EventKind::kAction && std::holds_alternative<T>(happening.action);
}

inline bool IsTick(const Happening& happening) {
  return IsAction<ElectionTimeout>(happening) || IsAction<Heartbeat>(happening) ||
         IsAction<ContactCheck>(happening);
}

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

}  // namespace foretell::integration::raft
