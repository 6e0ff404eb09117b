#pragma once

#include <string>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// `foretell services`.
struct ServicesArgs {
  std::string json;  // "-" for one JSON object on `streams.out`, a file, or empty.
};

// Lists every service with its scenarios, planted bugs and invariants. Returns an ExitCode.
int RunServices(const ServicesArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
