#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/integration/raft/judge/schedule.h"
#include "foretell/integration/raft/values/messages.h"

namespace foretell::integration::raft {

enum class FixtureRole : uint8_t { kUnavailable, kFollower, kCandidate, kLeader };

// The state of a server of the library's simulator, read from the library's own structures. The
// data of configurations is left out.
struct FixtureServer {
  bool up = true;
  FixtureRole role = FixtureRole::kFollower;
  uint64_t term = 0;
  uint64_t vote = 0;  // A server's id, from 1; 0 is nobody.
  std::vector<Entry> log;
  uint64_t commit = 0;
  uint64_t applied = 0;
  uint64_t stored = 0;
  uint64_t leader = 0;           // At a follower: an id; 0: it knows none.
  std::vector<bool> votes;       // At a candidate, by server.
  std::vector<uint64_t> match;   // At a leader: what it believes of each server, itself included.
  std::vector<uint64_t> next;    // Likewise.
  std::vector<bool> pipelining;  // Likewise.
  std::vector<bool> heard;       // Likewise.
  uint64_t led = 0;              // The last term in which it led; a crash does not change that.
  // The simulated disk: what a restart would find.
  uint64_t disk_term = 0;
  uint64_t disk_vote = 0;
  std::vector<Entry> disk;
  std::vector<std::string> commands;  // Commands given to the state machine, in order.
};

// The answer to a put.
struct FixtureAnswer {
  unsigned server = 0;
  std::string command;
  int status = 0;  // The library's code; 0 tells the client that its write is safe.
};

// Plays a schedule from boot in `raft_fixture`, the simulator that comes with the library. Servers,
// network and disks are the simulator's. What is ours: each event gets a millisecond of its own, a
// message gets the latency that lets it arrive in the millisecond of its delivery (or never, if the
// schedule does not deliver it), a disk write likewise, and a server's clock ticks only where the
// schedule lets a timer run out. For this the simulator's raft_io functions are watched. Only one
// waits: truncating is asynchronous by contract, which the simulator ignores, so that it hears of a
// truncation when the schedule has it done. Its disk knows no failure: a write that fails is stored
// and cut off again, and the library told that it failed. Belongs to one thread.
class FixtureReplay {
 public:
  // `servers` voters that know each other from the first entry of their logs.
  FixtureReplay(unsigned servers, Schedule schedule);
  ~FixtureReplay();

  // Events played so far.
  size_t at() const;
  bool done() const;
  // Makes the next event happen. FailedPrecondition: the simulator did something else.
  // Unimplemented: it cannot do this. Both say which event; nothing can be played after either.
  // REQUIRES: !done().
  absl::Status Next();

  unsigned servers() const;
  FixtureServer Look(unsigned server) const;
  const std::vector<FixtureAnswer>& answers() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace foretell::integration::raft
