#include "foretell/agent/doctor/examination.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/scenario.h"

namespace foretell::agent {
namespace {

// The scenario that has a name, or else each of the service, with what was set.
absl::StatusOr<std::vector<std::string>> ScenariosOf(const model::Catalog& catalog,
                                                     const CheckRequest& request) {
  auto spec = model::ParseScenario(request.scenario);
  if (!spec.ok()) return spec.status();
  const model::ServiceFamily* const family = model::FindFamily(catalog, request.service);
  if (!spec->name.empty() || family == nullptr) return std::vector{request.scenario};
  std::vector<std::string> scenarios;
  for (const model::Named& scenario : family->scenarios()) {
    spec->name = scenario.name;
    scenarios.push_back(model::ScenarioText(*spec));
  }
  return scenarios;
}

// What goes with the bug and the settings. The first complaint if nothing does.
absl::StatusOr<std::vector<Selection>> SelectAll(const model::Catalog& catalog,
                                                 const CheckRequest& request,
                                                 std::vector<std::string>& left_out) {
  const auto scenarios = ScenariosOf(catalog, request);
  if (!scenarios.ok()) return scenarios.status();
  std::vector<Selection> selections;
  absl::Status first;
  for (const std::string& scenario : *scenarios) {
    auto selection = Select(catalog, request.service, scenario, request.bug);
    if (selection.ok()) {
      selections.push_back(*std::move(selection));
      continue;
    }
    first.Update(selection.status());
    left_out.push_back(scenario);
  }
  if (selections.empty()) return first;
  return selections;
}

absl::Status NotDeterministic(const Selection& selection, const std::string& what) {
  return absl::FailedPreconditionError(
      absl::StrCat(selection.service, ", scenario ", selection.scenario,
                   ": is not deterministic, so that no trial says anything: ", what));
}

}  // namespace

absl::StatusOr<Examination> Examine(const model::Catalog& catalog, const CheckRequest& request,
                                    const ExaminationOptions& options, model::Budget& budget,
                                    const std::function<void(const std::string&)>& tell) {
  Examination result{
      .service = request.service, .bug = request.bug, .states_max = options.states_max};
  const auto selections = SelectAll(catalog, request, result.left_out);
  if (!selections.ok()) return selections.status();
  std::vector<std::unique_ptr<search::Sample>> samples;
  for (const Selection& selection : *selections) {
    tell(absl::StrCat("searching ", selection.scenario));
    const model::System& system = selection.system;
    samples.push_back(std::make_unique<search::Sample>(selection.scenario, *system.service,
                                                       system.start, options.states_max,
                                                       result.fields, budget));
    const search::Sample& sample = *samples.back();
    if (sample.nondeterminism()) return NotDeterministic(selection, *sample.nondeterminism());
    result.scenarios.push_back({.name = selection.scenario,
                                .states = sample.state_count(),
                                .node_states = sample.rows().size(),
                                .handler_runs = sample.handler_executions(),
                                .complete = sample.complete()});
  }
  tell("trying fields");
  result.diagnosis = search::Diagnose(samples, result.fields, options.trials_max, budget);
  if (budget.spent()) result.ended_by = model::LimitName(budget.ended_by());
  return result;
}

}  // namespace foretell::agent
