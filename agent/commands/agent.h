#pragma once

#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell agent` and `foretell validate`, as the user typed them.
struct AgentArgs {
  std::string config;
  std::vector<std::string> settings;  // KEY=VALUE.
  std::vector<std::string> modes;     // INVARIANT=MODE.
  std::string events;                 // A file, or "-" for `streams.out`.
  std::string kill;                   // Control socket of a running agent.
  std::string revive;
  std::string status;
  std::string reason;
  std::string rounds;  // Stop after so many.
};

// Runs until it is told to stop. Returns an ExitCode.
int RunAgent(const AgentArgs& args, const Parts& parts, Streams& streams);
// Reads the configuration and says what it means, or what is wrong with it.
int RunValidate(const AgentArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
