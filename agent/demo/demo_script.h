#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::agent {

// A run worth seeing: a service, a planted bug, the faults that bring it about.
struct DemoScript {
  std::string service;
  std::string bug;
  std::string text;  // One line.
  std::string call;  // Made by the application.
  uint64_t seed = 1;
  std::vector<std::string> node_flags;
  std::string scenario = "live";
  bool story = false;  // Not calls and faults at random, but a story of its own (*_demo.h).
};

std::vector<DemoScript> DemoScripts();
// An empty bug means the service's first. InvalidArgument, with the known ones, for others.
absl::StatusOr<DemoScript> FindDemoScript(const std::string& service, const std::string& bug);

}  // namespace foretell::agent
