#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::agent {

// A client of the raft service's key-value store, over the client ports of its nodes.
class KvClient {
 public:
  using Ask = std::function<absl::StatusOr<std::string>(size_t node, const std::string& line)>;
  KvClient(size_t node_count, Ask ask) : node_count_(node_count), ask_(std::move(ask)) {}

  // The role and progress of a node, as it says.
  struct Role {
    std::string name;  // "leader", "follower", "candidate", "stopped".
    uint64_t term = 0;
    uint64_t log = 0;
    uint64_t committed = 0;
    uint64_t applied = 0;
  };
  absl::StatusOr<Role> RoleOf(size_t node) const;
  // Of those that say that they lead, the one with the highest term.
  std::optional<size_t> Leader() const;
  // Waits until there is one whose term is above `term`.
  std::optional<size_t> WaitForLeader(uint64_t term, std::chrono::milliseconds timeout) const;

  // Asks `node`, which must lead, to append; that is all that OK says.
  absl::Status Propose(size_t node, const std::string& key, const std::string& value) const;
  // True iff `node` has told its client, by applying it, that the put is committed. Waits until it
  // has, it no longer leads, or the time is over.
  bool WaitAcknowledged(size_t node, const std::string& key, const std::string& value,
                        std::chrono::milliseconds timeout) const;
  // Propose at the leader, then wait. DeadlineExceeded: whether it will count is not known.
  absl::Status Put(const std::string& key, const std::string& value,
                   std::chrono::milliseconds timeout) const;

  // As applied to the state machine of `node`; nothing if there is no such key.
  absl::StatusOr<std::optional<std::string>> Get(size_t node, const std::string& key) const;

 private:
  size_t node_count_;
  Ask ask_;
};

}  // namespace foretell::agent
