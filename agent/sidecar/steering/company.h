#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::agent {

// Who else steers the nodes, as they say: other agents, and what earlier lives of this one have
// left behind. Pure; one thread at a time.
class Company {
 public:
  struct Member {
    snapshot::AgentIdentity agent;
    bool own = false;        // An earlier life of this agent.
    bool connected = false;  // To some node.
    std::chrono::milliseconds known_for{0};
    uint32_t filters = 0;                // In force, at all nodes.
    std::chrono::milliseconds lease{0};  // Of those, the longest that is left.
    std::vector<uint32_t> nodes;
  };
  explicit Company(snapshot::AgentIdentity self) : self_(std::move(self)) {}

  // Counters by node; one that does not answer is nobody's witness.
  void Read(const std::vector<absl::StatusOr<snapshot::NodeCounters>>& counters);

  const std::vector<Member>& members() const { return members_; }
  // By node: an earlier life of this agent that has left filters there, and is connected to no
  // node; empty: none has.
  const std::vector<std::string>& left() const { return left_; }

 private:
  void Add(uint32_t node, const snapshot::KnownAgent& known);

  const snapshot::AgentIdentity self_;
  std::vector<Member> members_;  // By life.
  std::vector<std::string> left_;
};

// "another agent, 'b', enforces atomic since 2026-11-19 22:00:00; 3 vetoes in force".
std::string TextOf(const Company::Member& member, UnixTime now);

}  // namespace foretell::agent
