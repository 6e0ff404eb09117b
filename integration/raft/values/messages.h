#pragma once

// The messages between libraft's nodes, and what else can happen to one. Nodes are numbered from 0,
// as everywhere; the library's server ids are these numbers + 1. Indexes and terms start at 1, 0
// means none.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace foretell::integration::raft {

enum class EntryType : uint8_t { kCommand = 1, kBarrier = 2, kChange = 3 };
inline std::string EnumName(EntryType type) {
  switch (type) {
    case EntryType::kCommand: return "command";
    case EntryType::kBarrier: return "barrier";
    case EntryType::kChange: return "change";
  }
  return "?";
}

// One entry of a log. A command is the text "put KEY VALUE". The only change is the configuration
// that every log begins with; its data, the same for all, is left out.
struct Entry {
  uint64_t term = 0;
  EntryType type = EntryType::kCommand;
  std::string data;
  template <class V>
  void Fields(V& v) {
    v("term", term);
    v("type", type);
    v("data", data);
  }
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// The candidate is who sends it.
struct RequestVote {
  static constexpr const char* kName = "RequestVote";
  uint64_t term = 0;
  uint64_t last_log_index = 0;
  uint64_t last_log_term = 0;
  bool disrupt_leader = false;
  bool pre_vote = false;
  template <class V>
  void Fields(V& v) {
    v("term", term);
    v("last_log_index", last_log_index);
    v("last_log_term", last_log_term);
    v("disrupt_leader", disrupt_leader);
    v("pre_vote", pre_vote);
  }
};

// A flag that older versions of the library do not send: it is then unknown.
enum class Tribool : uint8_t { kUnknown = 0, kTrue = 1, kFalse = 2 };
inline std::string EnumName(Tribool value) {
  switch (value) {
    case Tribool::kUnknown: return "unknown";
    case Tribool::kTrue: return "yes";
    case Tribool::kFalse: return "no";
  }
  return "?";
}

struct RequestVoteResult {
  static constexpr const char* kName = "RequestVoteResult";
  uint64_t term = 0;
  bool vote_granted = false;
  Tribool pre_vote = Tribool::kUnknown;
  template <class V>
  void Fields(V& v) {
    v("term", term);
    v("vote_granted", vote_granted);
    v("pre_vote", pre_vote);
  }
};

struct AppendEntries {
  static constexpr const char* kName = "AppendEntries";
  uint64_t term = 0;
  uint64_t prev_log_index = 0;
  uint64_t prev_log_term = 0;
  uint64_t leader_commit = 0;
  std::vector<Entry> entries;
  template <class V>
  void Fields(V& v) {
    v("term", term);
    v("prev_log_index", prev_log_index);
    v("prev_log_term", prev_log_term);
    v("leader_commit", leader_commit);
    v("entries", entries);
  }
};

struct AppendEntriesResult {
  static constexpr const char* kName = "AppendEntriesResult";
  uint64_t term = 0;
  uint64_t rejected = 0;  // The index that was rejected; 0: accepted.
  uint64_t last_log_index = 0;
  template <class V>
  void Fields(V& v) {
    v("term", term);
    v("rejected", rejected);
    v("last_log_index", last_log_index);
  }
};

// Snapshots are switched off and leadership is never transferred, so InstallSnapshot and TimeoutNow
// do not occur.
using Message = std::variant<RequestVote, RequestVoteResult, AppendEntries, AppendEntriesResult>;

// A follower or candidate has heard nothing for an election timeout.
struct ElectionTimeout {
  static constexpr const char* kName = "ElectionTimeout";
  template <class V>
  void Fields(V&) {}
};

// A leader's tick after a heartbeat timeout without sending.
struct Heartbeat {
  static constexpr const char* kName = "Heartbeat";
  template <class V>
  void Fields(V&) {}
};

// A leader's tick after an election timeout: it steps down if it heard from no majority, and begins
// to listen anew.
struct ContactCheck {
  static constexpr const char* kName = "ContactCheck";
  template <class V>
  void Fields(V&) {}
};

// A client asks this node, which believes to lead.
struct Put {
  static constexpr const char* kName = "Put";
  std::string key;
  std::string value;
  template <class V>
  void Fields(V& v) {
    v("key", key);
    v("value", value);
  }
};

// The oldest pending disk operation becomes durable, and the library is told.
struct DiskDone {
  static constexpr const char* kName = "DiskDone";
  template <class V>
  void Fields(V&) {}
};

// The oldest pending disk operation fails without having changed the disk, and the library is told.
struct DiskFail {
  static constexpr const char* kName = "DiskFail";
  template <class V>
  void Fields(V&) {}
};

using Action = std::variant<ElectionTimeout, Heartbeat, ContactCheck, Put, DiskDone, DiskFail>;

}  // namespace foretell::integration::raft
