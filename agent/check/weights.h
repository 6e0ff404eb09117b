#pragma once

#include <string>

#include "absl/status/status.h"
#include "foretell/model/liveness/recovery.h"

namespace foretell::agent {

// Reads a value of --weights into `weights`: "call=40,timer=1", or a file of what nodes have
// counted (the command `events` of their client ports, one answer after the other). InvalidArgument
// says what is wrong with it, also if no walk could take a step.
absl::Status ReadWeights(const std::string& value, model::Weights& weights);

}  // namespace foretell::agent
