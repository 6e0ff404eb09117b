#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/budget.h"

namespace foretell::agent {

// How the search was bounded, and what ended it.
struct Bounds {
  std::chrono::milliseconds time{};
  uint64_t bytes = 0;
  uint64_t steps = UINT64_MAX;
  uint64_t depth = UINT32_MAX;
  model::Budget::Limit ended_by = model::Budget::Limit::kNone;
  bool interrupted = false;
};

// The end of a check for a person: what was checked, the verdict in a sentence, key figures,
// notes, every violation as a diagram, and the command that finds it again. `pictures` holds one
// entry per violation.
std::string VerdictText(const CheckRecord& record, const std::vector<SpaceTime>& pictures,
                        const Bounds& bounds, const std::string& command, const Look& look);

// One violation: headline, diagram, command.
std::string ViolationText(const SpaceTime& picture, const std::string& command, const Look& look);

}  // namespace foretell::agent
