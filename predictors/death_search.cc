#include "foretell/predictors/death_search.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "foretell/model/liveness/liveness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/search/liveness/live_explorer.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Service;

// For the proof of what was found, beyond the budget of the search: some tenths of a second of
// work.
constexpr uint64_t kWordsStepsMax = 400'000;

search::LiveOptions OptionsFor(const std::string& property) {
  search::LiveOptions options;
  options.property = property;
  options.words_steps_max = kWordsStepsMax;
  return options;
}

}  // namespace

absl::StatusOr<std::optional<model::Violation>> ConfirmDeath(const Service& service,
                                                             const model::SystemCut& start,
                                                             const std::string& property,
                                                             const model::Path& path,
                                                             Budget& budget) {
  const OpenToCalls open(service);
  auto violation = search::ExamineDeath(open, OptionsFor(property), start, path, budget);
  if (!violation.ok() || !*violation) return violation;
  // What is told replays without calls that nobody imagined.
  const model::Path& twin = (*violation)->death->twin;
  if (twin.empty() || model::Replay(service, start, twin).ok()) return violation;
  auto death = std::make_shared<model::Death>(*(*violation)->death);
  death->twin.clear();
  (*violation)->death = std::move(death);
  return violation;
}

size_t FaultsOf(const Service& service, const model::Path& path) {
  return static_cast<size_t>(
      std::count_if(path.begin(), path.end(), [&](const model::PathStep& step) {
        return HelpOf(service, step.event) == model::Help::kAdverse;
      }));
}

absl::StatusOr<DeathOutcome> SearchForDeath(const Service& service, const model::Imagined& space,
                                            const std::string& property, Faults faults,
                                            Budget& budget) {
  const WithoutFaults faultless(service);
  const Service& searched = faults == Faults::kNone ? faultless : service;
  const uint64_t before = budget.steps_taken();
  auto report =
      search::MakeLiveExplorer(searched, OptionsFor(property))->Explore(space.focus, budget);
  if (!report.ok()) return report.status();
  DeathOutcome outcome;
  outcome.steps = budget.steps_taken() - before;
  outcome.complete = report->complete;
  if (report->violations.empty()) return outcome;
  const model::Path& path = report->violations.front().path;
  Budget enough({.steps_max = kWordsStepsMax}, [] { return Budget::Time{}; });
  auto confirmed = ConfirmDeath(service, space.cut, property, path, enough);
  if (!confirmed.ok()) return confirmed.status();
  if (*confirmed) outcome.path = path;
  outcome.refuted = !*confirmed && !enough.spent();
  outcome.violation = *std::move(confirmed);
  return outcome;
}

absl::StatusOr<SearchOutcome> SearchForSame(const Service& service, const model::Imagined& space,
                                            const model::Violation& violation, Budget& budget) {
  const std::string& invariant = violation.invariant;
  if (violation.death) return SearchForDeath(service, space, invariant, Faults::kNone, budget);
  const InvariantView view = InvariantView::Only(service, invariant);
  return SearchForViolation(view, space.focus, invariant == model::kLocalAssertions, {"por", "lmc"},
                            budget);
}

absl::StatusOr<std::optional<size_t>> StepsToLive(const Service& service,
                                                  const model::Imagined& space,
                                                  const std::string& property, Budget& budget) {
  const OpenToCalls open(service);
  const auto fate = search::JudgeCut(open, OptionsFor(property), space.cut, budget);
  if (!fate.ok()) return fate.status();
  // Where losses are death, too, the veto has not helped.
  if (fate->verdict != model::LivenessVerdict::kLive || fate->violation) {
    return std::optional<size_t>();
  }
  return std::optional(fate->steps.value_or(0));
}

}  // namespace foretell::predictors
