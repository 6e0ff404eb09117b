#include "foretell/agent/check/spaces.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/guard/watched_service.h"
#include "foretell/model/describe.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/symmetry/named_classes.h"
#include "foretell/predictors/coverage/explore_covered.h"

namespace foretell::agent {
namespace {

using model::Outcome;
using model::Stats;

// Handlers may throw, and that is a finding. What a service throws from elsewhere ends up here: it
// may be a plug-in, and must not bring the tool down.
template <class T>
absl::StatusOr<T> Guarded(const std::function<absl::StatusOr<T>()>& run) {
  try {
    return run();
  } catch (const ServiceThrew& e) {
    return absl::FailedPreconditionError(e.what());
  } catch (const std::exception& e) {
    return absl::FailedPreconditionError(
        absl::StrCat("the service threw outside of a handler (in Actions, a projection or an "
                     "invariant): ",
                     e.what()));
  } catch (...) {
    return absl::FailedPreconditionError("the service threw something that is no std::exception");
  }
}

void AddStats(const Stats& from, Stats& to) {
  for (const auto figure :
       {&Stats::transitions, &Stats::handler_executions, &Stats::node_states, &Stats::classes,
        &Stats::system_states, &Stats::global_states, &Stats::traces, &Stats::blocked,
        &Stats::soundness_checks, &Stats::soundness_rejections}) {
    if (from.*figure) to.*figure = (to.*figure).value_or(0) + *(from.*figure);
  }
  // Who finds nothing in the first space has followed all of it before.
  if (!to.traces_before_violation && from.traces_before_violation) {
    to.traces_before_violation = *to.traces - *from.traces + *from.traces_before_violation;
  }
  // Memory is given back between spaces.
  for (const auto figure :
       {&Stats::depth, &Stats::bytes, &Stats::visited_bytes, &Stats::images_max}) {
    if (from.*figure) to.*figure = std::max((to.*figure).value_or(0), *(from.*figure));
  }
}

// How bad an outcome is; a report of several spaces has the worst.
int Rank(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNone: return 0;
    case Outcome::kBudget: return 1;
    case Outcome::kViolation: return 2;
    case Outcome::kNondeterminism: return 3;
  }
  return 0;
}

// Keeps the shorter path of each invariant.
void AddViolation(model::Violation violation, size_t space, SpacesReport& to) {
  std::vector<model::Violation>& known = to.report.violations;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i].invariant != violation.invariant) continue;
    if (violation.path.size() < known[i].path.size()) {
      known[i] = std::move(violation);
      to.spaces[i] = space;
    }
    return;
  }
  known.push_back(std::move(violation));
  to.spaces.push_back(space);
}

// The verdict on several spaces is that on the worst of them.
void AddLiveness(const std::shared_ptr<const model::Liveness>& from,
                 std::shared_ptr<const model::Liveness>& to) {
  using enum model::LivenessVerdict;
  constexpr model::LivenessVerdict kWorse[] = {kLive,      kUndecided, kSuspected,
                                               kFairCycle, kDead,      kStartDead};
  const auto rank = [&](const model::Liveness& liveness) {
    return std::find(std::begin(kWorse), std::end(kWorse), liveness.verdict);
  };
  if (from != nullptr && (to == nullptr || rank(*from) > rank(*to))) to = from;
}

// The space as the violations of `report` see it: theirs may start from an earlier cut of the run.
model::Imagined Started(const model::Imagined& space, const predictors::EngineOptions& options,
                        const model::Report& report, SpacesReport& to) {
  const bool earlier = report.liveness != nullptr && !report.violations.empty() &&
                       report.liveness->from < options.earlier.size();
  if (!earlier) return space;
  to.start = options.earlier[report.liveness->from];
  return {*to.start, *to.start, ""};
}

// A report on a violation that replayed once and does not any more.
model::Report NotRepeated(const model::Service& service, const model::Violation& violation,
                          const model::Report& report) {
  const std::string event =
      violation.path.empty()
          ? "the start"
          : model::Describe(service, violation.path.back().node, violation.path.back().event);
  return {
      .outcome = Outcome::kNondeterminism,
      .stats = report.stats,
      .notes = {absl::StrCat("Not deterministic: ", event, ": ", violation.invariant,
                             " was broken once, and once it was not", model::kSomethingElse, ".")}};
}

absl::Status AddReport(const model::Service& service, const model::Imagined& space, size_t index,
                       model::Report report, SpacesReport& to) {
  if (!report.violations.empty()) {
    if (to.report.violations.empty()) to.report.answer_of = report.answer_of;
    // Who found one of them need not find the others.
    if (to.report.answer_of != report.answer_of) to.report.answer_of.clear();
  }
  for (model::Violation& violation : report.violations) {
    auto confirmed = model::Confirm(service, space.cut, violation.invariant, violation.path);
    // The engine has seen it replay, from the focus.
    if (!confirmed.ok() && space.cut == space.focus) {
      report = NotRepeated(service, violation, report);
      to.report.violations.clear();
      to.spaces.clear();
      break;
    }
    if (!confirmed.ok()) return confirmed.status();
    if (violation.death != nullptr) {
      confirmed->text = violation.text;
      confirmed->death = violation.death;
    }
    AddViolation(*std::move(confirmed), index, to);
  }
  if (Rank(report.outcome) > Rank(to.report.outcome)) to.report.outcome = report.outcome;
  to.report.complete = to.report.complete && report.complete;
  AddStats(report.stats, to.report.stats);
  AddLiveness(report.liveness, to.report.liveness);
  for (std::string& note : report.notes) {
    std::vector<std::string>& notes = to.report.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  return absl::OkStatus();
}

absl::StatusOr<model::NamedClasses::Classes> ClassesOf(const model::Service& service,
                                                       const predictors::EngineOptions& options) {
  if (!options.symmetry) return service.Interchangeable();
  auto classes = model::NamedClasses::Parse(*options.symmetry, service.node_count());
  if (classes.ok()) return classes;
  return absl::InvalidArgumentError(
      absl::StrCat("--symmetry: ", std::string(classes.status().message())));
}

}  // namespace

absl::StatusOr<std::vector<model::Imagined>> SpacesOf(const model::Service& service,
                                                      const model::SystemCut& live) {
  using Spaces = std::vector<model::Imagined>;
  return Guarded<Spaces>([&]() -> absl::StatusOr<Spaces> {
    if (absl::Status valid = model::ValidateCut(service, live); !valid.ok()) return valid;
    Spaces spaces = service.Imagine(live);
    if (spaces.empty()) spaces.push_back({live, live, ""});
    return spaces;
  });
}

model::SystemCut DrawingStart(const model::Service& service, const model::SystemCut& imagined,
                              const model::SystemCut& focus, const model::Violation& violation) {
  const auto seen = model::Confirm(service, focus, violation.invariant, violation.path);
  return seen.ok() ? focus : imagined;
}

absl::StatusOr<SpacesReport> ExploreSpaces(const predictors::Engine& engine,
                                           const predictors::EngineOptions& options,
                                           const model::Service& service,
                                           const std::vector<model::Imagined>& spaces,
                                           bool first_only, model::Budget& budget) {
  return Guarded<SpacesReport>([&]() -> absl::StatusOr<SpacesReport> {
    const auto classes = ClassesOf(service, options);
    if (!classes.ok()) return classes.status();
    const model::NamedClasses named(service, *classes);
    const model::KeptAuxiliary kept(named);
    const model::Service& seen =
        options.keep_auxiliary ? static_cast<const model::Service&>(kept) : named;
    SpacesReport all;
    all.report.complete = true;
    for (size_t i = 0; i < spaces.size(); ++i) {
      predictors::EngineOptions own = options;
      if (i > 0 && !own.journal.empty()) absl::StrAppend(&own.journal, ".", i + 1);
      if (i > 0) own.earlier.clear();  // They were judged with the first.
      auto covered = predictors::ExploreCovered(engine, own, seen, spaces[i].focus, budget);
      if (!covered.ok()) return covered.status();
      const model::Imagined space = Started(spaces[i], own, covered->report, all);
      const absl::Status added = AddReport(service, space, i, std::move(covered->report), all);
      if (!added.ok()) return added;
      predictors::AddCoverage(covered->coverage, all.coverage);
      if (i + 1 == spaces.size()) break;
      const bool found = Rank(all.report.outcome) >= Rank(Outcome::kViolation);
      if (!budget.spent() && !(first_only && found)) continue;
      all.report.complete = false;  // The other spaces were not looked at.
      if (!found) all.report.outcome = Outcome::kBudget;
      break;
    }
    // Another question was asked, of which invariants know nothing.
    if (engine.liveness) {
      all.coverage.invariants.clear();
      all.coverage.undecided.clear();
    }
    all.coverage.certain = all.report.complete && all.report.violations.empty();
    for (std::string& note : predictors::CoverageNotes(all.coverage, all.report)) {
      all.report.notes.push_back(std::move(note));
    }
    return all;
  });
}

}  // namespace foretell::agent
