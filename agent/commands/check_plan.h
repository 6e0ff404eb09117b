#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/check/selection.h"
#include "foretell/model/service.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

// The task of a `check`, with everything read and looked up.
struct CheckPlan {
  CheckRequest request;  // Options of the engine completed by what the service says.
  Selection selection;
  std::vector<model::Imagined> spaces;  // Where to look for violations; at least one.
  std::vector<std::string> notes;       // About the start, for the user.
  const predictors::Engine* engine = nullptr;
  std::vector<uint64_t> cut_numbers;  // Of the recorded cuts that are judged; empty: of none.
};

absl::StatusOr<CheckPlan> MakePlan(const CheckWords& words, const Parts& parts);

}  // namespace foretell::agent
