#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/check/selection.h"
#include "foretell/model/budget.h"
#include "foretell/search/doctor/diagnosis.h"

namespace foretell::agent {

struct ExaminationOptions {
  uint32_t states_max = 50'000;  // Of each scenario.
  uint64_t trials_max = 4'000;   // Of each field.
};

// What was looked at of one scenario.
struct SeenScenario {
  std::string name;  // With its settings.
  uint64_t states = 0;
  uint64_t node_states = 0;
  uint64_t handler_runs = 0;
  bool complete = false;
};

struct Examination {
  std::string service;
  std::string bug;
  std::vector<SeenScenario> scenarios;
  std::vector<std::string> left_out;  // Scenarios that the bug or a setting does not go with.
  search::FieldTable fields;
  search::Diagnosis diagnosis;
  uint32_t states_max = 0;
  std::string ended_by;  // The bound that ended it early: "time"; empty.
};

// Looks at the scenario that was asked for, or else at all of them. InvalidArgument for names and
// settings that are not there; FailedPrecondition for a service that is not deterministic, with the
// event at which it shows.
absl::StatusOr<Examination> Examine(const model::Catalog& catalog, const CheckRequest& request,
                                    const ExaminationOptions& options, model::Budget& budget,
                                    const std::function<void(const std::string&)>& tell);

}  // namespace foretell::agent
