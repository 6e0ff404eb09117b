#include "foretell/tests/bench/engines/verdicts.h"

#include <algorithm>
#include <ctime>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/budget.h"
#include "foretell/model/check.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Processor time of all threads, which other work on the machine does not add to.
Seconds Worked() { return Seconds(static_cast<double>(std::clock()) / CLOCKS_PER_SEC); }

model::Budget BudgetOf(const EnginesPlan& plan, uint32_t threads) {
  if (plan.steps != UINT64_MAX) {
    return model::Budget({.steps_max = plan.steps, .bytes_max = plan.bytes},
                         [] { return Clock::time_point{}; });
  }
  const auto now = [threads] {
    return Clock::time_point{} + std::chrono::duration_cast<Clock::duration>(Worked() / threads);
  };
  return model::Budget({.bytes_max = plan.bytes, .deadline = now() + plan.budget}, now);
}

Verdict AskOnce(const predictors::Engine& engine, const model::System& system,
                const EnginesPlan& plan) {
  predictors::EngineOptions options;
  options.threads = plan.threads;
  if (engine.accepts.contains(predictors::EngineOption::kComponents)) {
    options.components = system.components;
  }
  const bool threaded = engine.accepts.contains(predictors::EngineOption::kThreads);
  const Clock::time_point begin = Clock::now();
  const Seconds worked = Worked();
  model::Budget budget = BudgetOf(plan, threaded ? plan.threads : 1);
  const auto report = engine.make(*system.service, options)->Explore(system.start, budget);
  Verdict verdict{.kind = Verdict::Kind::kOpen, .time = Clock::now() - begin};
  verdict.cpu = Worked() - worked;
  if (!report.ok()) {
    verdict.kind = Verdict::Kind::kFailed;
    verdict.text = std::string(report.status().message());
  } else if (report->outcome == model::Outcome::kNondeterminism) {
    verdict.kind = Verdict::Kind::kFailed;
    verdict.text = "not deterministic";
  } else if (!report->violations.empty()) {
    verdict.kind = Verdict::Kind::kViolation;
    verdict.invariant = report->violations.front().invariant;
    verdict.steps = report->violations.front().path.size();
  } else if (report->complete) {
    verdict.kind = Verdict::Kind::kNone;
  }
  return verdict;
}

}  // namespace

std::string Case::name() const {
  return absl::StrCat(family->name(), " ", scenario, bug.empty() ? "" : ", ", bug);
}

std::vector<Case> CasesOf(const model::Catalog& catalog, const EnginesPlan& plan) {
  std::vector<Case> cases;
  for (const auto& family : catalog) {
    std::vector<std::string> bugs = {""};
    for (const model::Named& bug : family->bugs()) bugs.push_back(bug.name);
    for (const model::Named& scenario : family->scenarios()) {
      for (const std::string& bug : bugs) {
        Case one{family.get(), scenario.name, bug};
        if (!absl::StrContains(one.name(), plan.only)) continue;
        if (family->Make(scenario.name, bug).ok()) cases.push_back(std::move(one));
      }
    }
  }
  return cases;
}

Verdict Ask(const predictors::Engine& engine, const Case& one, const EnginesPlan& plan) {
  const auto system = one.family->Make(one.scenario, one.bug);
  FORETELL_CHECK(system.ok());
  if (engine.covers && !engine.covers(*system->service, system->start).ok()) return {};
  Verdict best = AskOnce(engine, *system, plan);
  // What is short is measured again: other work on the machine takes caches away.
  constexpr Seconds kEnough(1);
  constexpr int kRepeats = 4;
  if (plan.steps != UINT64_MAX) return best;
  Seconds spent = best.cpu;
  for (int i = 0; i < kRepeats && spent < kEnough && best.decided(); ++i) {
    Verdict again = AskOnce(engine, *system, plan);
    spent += again.cpu;
    if (!again.decided()) continue;
    const Seconds time = std::min(best.time, again.time);
    if (again.cpu < best.cpu) best = std::move(again);
    best.time = time;
  }
  return best;
}

std::string Contradiction(const std::vector<predictors::Engine>& engines,
                          const std::vector<Verdict>& verdicts) {
  std::string found, denied, failed;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const Verdict& verdict = verdicts[i];
    if (verdict.kind == Verdict::Kind::kNone) denied = engines[i].name;
    if (verdict.kind == Verdict::Kind::kFailed) {
      failed = absl::StrCat(engines[i].name, " fails: ", verdict.text);
    }
    if (verdict.kind == Verdict::Kind::kViolation) {
      found = absl::StrCat(engines[i].name, " finds a violation of ", verdict.invariant);
    }
  }
  if (!failed.empty()) return failed;
  if (found.empty() || denied.empty()) return "";
  return absl::StrCat(found, ", ", denied, " says there is none");
}

}  // namespace foretell::bench
