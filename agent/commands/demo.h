#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// `foretell demo`, as the user typed it; empty means not given.
struct DemoArgs {
  std::string service = "paxos";
  std::string bug;   // Default: the service's own.
  std::string seed;  // Default: one that shows it soon.
  std::string calls = "60";
  std::string output = "demo-out";
  bool keep = false;  // Keep sockets and logs.
};

// The story of libraft's lost write (agent/demo/raft_demo.h), without an agent, watched, steered.
absl::StatusOr<int> RunRaftDemo(const model::Service& service, const DemoArgs& args, uint64_t seed,
                                Console& console);

// The story of MaceTransport's stale SYN (agent/demo/transport_demo.h), watched and steered.
absl::StatusOr<int> RunTransportDemo(const model::Service& service, const DemoArgs& args,
                                     uint64_t seed, Console& console);

// The story of a register whose reader is hasty (agent/demo/register_demo.h), watched and steered.
absl::StatusOr<int> RunRegisterDemo(const model::Service& service, const DemoArgs& args,
                                    uint64_t seed, Console& console);

}  // namespace foretell::agent
