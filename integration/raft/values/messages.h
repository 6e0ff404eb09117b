#pragma once

// The messages between libraft's nodes, and what else can happen to one. Nodes are numbered from 0,
// as everywhere; the library's server ids are these numbers + 1. Indexes and terms start at 1, 0
// means none.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/typed/fields.h"

namespace foretell::integration::raft {

enum class EntryType : uint8_t { kCommand = 1, kBarrier = 2, kChange = 3 };

// One entry of a log. A command is the text "put KEY VALUE". The only change is the configuration
// that every log begins with; its data, the same for all, is left out.
struct Entry {
  uint64_t term = 0;
  EntryType type = EntryType::kCommand;
  std::string data;
  FORETELL_FIELDS(term, type, data)
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// The candidate is who sends it.
struct RequestVote {
  uint64_t term = 0;
  uint64_t last_log_index = 0;
  uint64_t last_log_term = 0;
  bool disrupt_leader = false;
  bool pre_vote = false;
  FORETELL_FIELDS(term, last_log_index, last_log_term, disrupt_leader, pre_vote)
};

// A flag that older versions of the library do not send: it is then unknown.
enum class Tribool : uint8_t { kUnknown = 0, kTrue = 1, kFalse = 2 };
inline std::string EnumName(Tribool value) {
  if (value == Tribool::kUnknown) return "unknown";
  return value == Tribool::kTrue ? "yes" : "no";
}

struct RequestVoteResult {
  uint64_t term = 0;
  bool vote_granted = false;
  Tribool pre_vote = Tribool::kUnknown;
  FORETELL_FIELDS(term, vote_granted, pre_vote)
};

struct AppendEntries {
  uint64_t term = 0;
  uint64_t prev_log_index = 0;
  uint64_t prev_log_term = 0;
  uint64_t leader_commit = 0;
  std::vector<Entry> entries;
  FORETELL_FIELDS(term, prev_log_index, prev_log_term, leader_commit, entries)
};

struct AppendEntriesResult {
  uint64_t term = 0;
  uint64_t rejected = 0;  // The index that was rejected; 0: accepted.
  uint64_t last_log_index = 0;
  FORETELL_FIELDS(term, rejected, last_log_index)
};

// Snapshots are switched off and leadership is never transferred, so InstallSnapshot and TimeoutNow
// do not occur.
using Message = std::variant<RequestVote, RequestVoteResult, AppendEntries, AppendEntriesResult>;

// A follower or candidate has heard nothing for an election timeout.
struct ElectionTimeout {};

// A leader's tick after a heartbeat timeout without sending.
struct Heartbeat {};

// A leader's tick after an election timeout: it steps down if it heard from no majority, and begins
// to listen anew.
struct ContactCheck {};

// A client asks this node, which believes to lead.
struct Put {
  std::string key;
  std::string value;
  FORETELL_FIELDS(key, value)
};

// The oldest pending disk operation becomes durable, and the library is told.
struct DiskDone {};

// The oldest pending disk operation fails without having changed the disk, and the library is told.
struct DiskFail {};

using Action = std::variant<ElectionTimeout, Heartbeat, ContactCheck, Put, DiskDone, DiskFail>;

}  // namespace foretell::integration::raft
