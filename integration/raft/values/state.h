#pragma once

// One node of a libraft cluster as a value: what decides what it does next, and nothing else. No
// address, no time: two nodes with equal states step alike, wherever and whenever they were built.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/integration/raft/values/messages.h"
#include "foretell/model/id.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::raft {

enum class Role : uint8_t {
  kStopped = 0,  // Crashed, or the library gave up after a failure; only the disk counts.
  kFollower = 1,
  kCandidate = 2,
  kLeader = 3,
};

enum class ProgressMode : uint8_t { kProbe = 0, kPipeline = 1 };

// A leader's knowledge of one server, itself included.
struct Progress {
  ProgressMode mode = ProgressMode::kProbe;
  uint64_t next = 0;
  uint64_t match = 0;
  bool heard = false;  // Since the last check of contacts.
  FORETELL_FIELDS(mode, next, match, heard)
  friend bool operator==(const Progress&, const Progress&) = default;
};

// A sequence of entries from index 1 on that differs little from a node's log: its first `shared`
// entries are those of the log, as many as there are equal ones, and `rest` follows.
struct Copy {
  uint64_t shared = 0;
  std::vector<Entry> rest;
  FORETELL_FIELDS(shared, rest)
  friend bool operator==(const Copy&, const Copy&) = default;

  uint64_t size() const { return shared + rest.size(); }
  void Append(const std::vector<Entry>& log, const Entry& entry);
  // Entries from `index` on are gone.
  void Truncate(uint64_t index);
  // The log is about to lose its entries from `index` on; the copy keeps them.
  void LogLoses(const std::vector<Entry>& log, uint64_t index);
  // The log has grown, and may have become like the copy.
  void LogGrew(const std::vector<Entry>& log);
  const Entry& At(const std::vector<Entry>& log, uint64_t index) const {
    return index <= shared ? log[index - 1] : rest[index - 1 - shared];
  }
  std::vector<Entry> Expand(const std::vector<Entry>& log) const;
};

// A disk operation that the library has asked for and has not heard of yet.
struct Operation {
  enum class Kind : uint8_t {
    kLeaderAppend = 0,  // Of entries that this node, as a leader, has created.
    kFollowerAppend =
        1,          // Of entries from a leader; `prev` and `leader_commit` are of its message.
    kTruncate = 2,  // From `index` on.
  };
  Kind kind = Kind::kTruncate;
  uint64_t index = 0;  // Of the first entry.
  std::vector<Entry> entries;
  uint64_t prev = 0;
  uint64_t leader_commit = 0;
  uint64_t term = 0;  // Of the message; only with Settings::verified_tail, else 0.
  FORETELL_FIELDS(kind, index, entries, prev, leader_commit, term)
  friend bool operator==(const Operation&, const Operation&) = default;
};

// The events that the test driver may still cause at a node.
struct Budget {
  static constexpr uint8_t kUnlimited = UINT8_MAX;
  uint8_t timeouts = 0;
  uint8_t heartbeats = 0;
  uint8_t contact_checks = 0;
  uint8_t puts = 0;
  uint8_t failures = 0;  // Of the disk.
  FORETELL_FIELDS(timeouts, heartbeats, contact_checks, puts, failures)
  friend bool operator==(const Budget&, const Budget&) = default;
};

struct State {
  Role role = Role::kStopped;
  // Terms and votes are written synchronously: memory and disk have the same.
  uint64_t term = 0;
  std::optional<model::NodeId> vote;
  std::vector<Entry> log;  // In memory; kStopped: on disk.
  uint64_t stored = 0;     // The last index that the library believes to be on disk.
  uint64_t commit = 0;
  uint64_t applied = 0;
  std::optional<model::NodeId> leader;  // kFollower.
  std::set<model::NodeId> votes;        // kCandidate.
  bool pre_vote = false;                // kCandidate.
  std::vector<Progress> progress;       // kLeader, by node.
  std::vector<uint64_t> requests;       // kLeader: indexes that clients wait for.
  Copy disk;
  std::vector<Operation> pending;  // Oldest first.
  Copy machine;                    // Entries applied to the state machine.
  // Ghost: the last term in which this node led. Elections are safe if no two nodes ever led in
  // the same term, not only at the same time. It rises with elections only, so it tells few states
  // apart that are otherwise equal.
  uint64_t led = 0;
  Budget budget;
  FORETELL_FIELDS(role, term, vote, log, stored, commit, applied, leader, votes, pre_vote, progress,
                  requests, disk, pending, machine, led, budget)
};

// The entry that every log begins with: the configuration, whose bytes only the library knows.
Entry FirstEntry();

// The contents of a node's disk after a crash, and at boot.
State Stopped(const State& state);
State Boot(const Budget& budget);

// Makes the oldest pending operation durable and forgets it.
// REQUIRES: there is one, and CanComplete.
void Complete(State& state);
// A disk keeps a log without holes: what does not continue it can only fail.
bool CanComplete(const State& state);

// True iff the library can be built from bytes that came from outside, and stepped, without reading
// or writing where it must not: its own assertions are compiled out.
bool Valid(const State& state, uint32_t node_count);
bool Valid(const Message& message);
// Commands are printable text.
bool Valid(const Action& action);

}  // namespace foretell::integration::raft
