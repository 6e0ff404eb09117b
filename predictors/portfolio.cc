#include "foretell/predictors/portfolio.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/engine/shorten.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/clean_spaces.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/known_paths.h"
#include "foretell/predictors/race.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::SystemCut;
using model::ValidCut;
using model::Violation;

// Replays must not eat up what searches need.
constexpr uint32_t kKnownPercent = 20;

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The gate in front of a prediction. Fails if the claim does not hold from `start`, which is more
// than the engine saw.
absl::StatusOr<Violation> ConfirmShortest(const model::Service& service, ValidCut start,
                                          const Violation& claim) {
  absl::StatusOr<Violation> confirmed = model::Confirm(service, start, claim.invariant, claim.path);
  if (!confirmed.ok()) return confirmed;
  // Engines shorten what they find, so this seldom changes anything.
  model::Path shorter = model::Shorten(service, *start, claim.invariant, confirmed->path);
  if (shorter == confirmed->path) return confirmed;
  return model::Confirm(service, start, claim.invariant, std::move(shorter));
}

// What one round leaves to the next.
struct Memory {
  KnownPaths known;
  CleanSpaces clean;
  std::set<std::string> told;  // The invariants that were predicted to break.
};

// One call of Predict.
class Round {
 public:
  Round(const model::Service& service, const PortfolioOptions& options, Memory& memory)
      : service_(service),
        options_(options),
        known_(memory.known),
        clean_(memory.clean),
        told_(memory.told) {}

  Prediction Run(ValidCut live, const Budget& limits) {
    // A copy that can be charged, with the same clock.
    Budget budget(limits.limits(), [&limits] { return limits.Now(); });
    budget.Charge(limits);
    prediction_.now = {*live, *live, "nothing is added to the live cut"};
    LookAt(live);
    prediction_.spaces = service_.Imagine(*live);
    covered_.assign(prediction_.spaces.size(), false);
    LookAtSpaces();
    if (!limits.spent()) {
      if (Contains(options_.engines, kKnownPaths)) TryKnown(budget);
      Search(budget);
    }
    Finish(limits.limits().steps_max != UINT64_MAX);
    return std::move(prediction_);
  }

 private:
  // A space that was looked at. Borrows from the prediction.
  struct Start {
    size_t space = 0;
    ValidCut cut;
    ValidCut focus;
  };

  bool Wanted(const std::string& invariant) const {
    return !Contains(options_.ignored, invariant) && !found_.contains(invariant);
  }

  void Accept(Predicted predicted) {
    found_.insert(predicted.violation.invariant);
    prediction_.predicted.push_back(std::move(predicted));
  }

  void Reject(size_t space, const std::string& engine, const std::string& invariant,
              const absl::Status& reason) {
    prediction_.rejected.push_back({engine, space, invariant, std::string(reason.message())});
  }

  void LookAt(ValidCut live) {
    const model::PlainSystem now(service_, *live);
    for (const std::string& name : now.Violated()) {
      if (!Wanted(name)) continue;
      Accept({{name, now.Explain(name), {}}, std::nullopt, kLiveCut});
    }
  }

  // The driver is the service's; what it makes up is not trusted. A space that is none is no start
  // for anybody.
  void LookAtSpaces() {
    for (size_t s = 0; s < prediction_.spaces.size(); ++s) {
      const auto cut = ValidCut::Make(service_, prediction_.spaces[s].cut);
      const auto focus = ValidCut::Make(service_, prediction_.spaces[s].focus);
      if (cut.ok() && focus.ok()) {
        starts_.push_back({s, *cut, *focus});
        continue;
      }
      prediction_.runs.push_back(
          {.engine = kDriver, .space = s, .status = cut.ok() ? focus.status() : cut.status()});
    }
  }

  void TryKnown(Budget& budget) {
    Budget share = budget.Share(kKnownPercent);
    const auto wanted = [this](const std::string& name) { return Wanted(name); };
    for (size_t i = 0; i < starts_.size() && known_.size() > 0; ++i) {
      const Start& start = starts_[i];
      EngineRun run{.engine = kKnownPaths, .space = start.space};
      const Budget::Time begin = budget.Now();
      const uint64_t steps_before = share.steps_taken();
      // The focus is tried: the whole cut would show in every space what is to be seen in one.
      while (const auto hit = known_.Try(start.focus, wanted, share)) {
        const auto violation =
            ConfirmShortest(service_, start.cut, {hit->invariant, "", hit->path});
        if (!violation.ok()) {
          Reject(start.space, kKnownPaths, hit->invariant, violation.status());
          break;
        }
        run.report.violations.push_back(*violation);
        Accept({*violation, start.space, kKnownPaths});
      }
      run.duration = budget.Now() - begin;
      run.report.stats.transitions = share.steps_taken() - steps_before;
      run.report.outcome =
          run.report.violations.empty() ? model::Outcome::kBudget : model::Outcome::kViolation;
      prediction_.runs.push_back(std::move(run));
    }
    budget.Charge(share);
  }

  void Search(const Budget& budget) {
    RaceOptions race;
    race.engines = options_.engines;
    std::erase(race.engines, kKnownPaths);
    race.threads = options_.threads;
    race.depth_max = options_.depth_max;
    race.components = options_.components;
    race.ignored = options_.ignored;
    race.told = told_;
    std::vector<ValidCut> focuses;
    std::vector<const Start*> raced;
    for (const Start& start : starts_) {
      if (SkipClean(start)) continue;
      focuses.push_back(start.focus);
      raced.push_back(&start);
    }
    Race all(service_, std::move(focuses), race, budget);
    const auto judge = [&](size_t start, size_t engine, const Violation& claim) {
      return Confirm(*raced[start], race.engines[engine], engine, claim);
    };
    for (EngineRun& run : all.Run(found_, judge)) {
      run.space = raced[run.space]->space;
      if (run.report.complete) covered_[run.space] = true;
      prediction_.runs.push_back(std::move(run));
    }
  }

  bool SkipClean(const Start& start) {
    if (!clean_.Contains(start.focus)) return false;
    EngineRun run{.engine = kKnownPaths, .space = start.space};
    run.report.complete = true;
    run.report.notes.push_back("Known clean: covered completely in an earlier round.");
    prediction_.runs.push_back(std::move(run));
    covered_[start.space] = true;
    return true;
  }

  // Called by the threads of the race, one at a time.
  bool Confirm(const Start& start, const std::string& engine, size_t rank, const Violation& claim) {
    absl::StatusOr<Violation> violation = ConfirmShortest(service_, start.cut, claim);
    if (!violation.ok()) {
      Reject(start.space, engine, claim.invariant, violation.status());
      return false;
    }
    candidates_.push_back({rank, {*std::move(violation), start.space, engine}});
    return true;
  }

  void Finish(bool repeatable) {
    // With a limit on steps nothing may depend on who was first.
    if (repeatable) {
      std::stable_sort(
          candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
            return std::pair(a.predicted.space, a.rank) < std::pair(b.predicted.space, b.rank);
          });
    }
    for (Candidate& candidate : candidates_) {
      if (Wanted(candidate.predicted.violation.invariant)) Accept(std::move(candidate.predicted));
    }
    std::stable_sort(prediction_.predicted.begin(), prediction_.predicted.end(),
                     [](const Predicted& a, const Predicted& b) {
                       return a.violation.path.size() < b.violation.path.size();
                     });
    std::sort(prediction_.rejected.begin(), prediction_.rejected.end(),
              [](const RejectedClaim& a, const RejectedClaim& b) {
                return std::tie(a.space, a.engine, a.invariant) <
                       std::tie(b.space, b.engine, b.invariant);
              });
    told_.clear();
    for (const Predicted& predicted : prediction_.predicted) {
      known_.Add(predicted.violation.path);
      told_.insert(predicted.violation.invariant);
    }
    prediction_.complete_spaces =
        static_cast<size_t>(std::count(covered_.begin(), covered_.end(), true));
    // While anything is wrong some invariants are not looked at everywhere.
    if (!prediction_.predicted.empty() || !prediction_.rejected.empty()) return;
    for (const Start& start : starts_) {
      if (covered_[start.space]) clean_.Add(start.focus);
    }
  }

  struct Candidate {
    size_t rank = 0;  // Of the engine.
    Predicted predicted;
  };

  const model::Service& service_;
  const PortfolioOptions& options_;
  KnownPaths& known_;
  CleanSpaces& clean_;
  std::set<std::string>& told_;
  Prediction prediction_;
  std::vector<Start> starts_;    // The spaces that are valid, in their order.
  std::vector<bool> covered_;    // By space.
  std::set<std::string> found_;  // Before the race.
  std::vector<Candidate> candidates_;
};

class EnginePortfolio final : public Portfolio {
 public:
  EnginePortfolio(const model::Service& service, PortfolioOptions options)
      : service_(service),
        options_(std::move(options)),
        memory_{KnownPaths(service), CleanSpaces(service), {}} {}

  absl::StatusOr<Prediction> Predict(const SystemCut& live, const Budget& budget) override {
    const auto valid = ValidCut::Make(service_, live);
    if (!valid.ok()) return valid.status();
    // A service may be a plug-in; its driver and invariants must not bring the agent down.
    try {
      return Round(service_, options_, memory_).Run(*valid, budget);
    } catch (const std::exception& e) {
      return absl::FailedPreconditionError(
          absl::StrCat("the service threw outside of a handler: ", e.what()));
    }
  }

 private:
  const model::Service& service_;
  const PortfolioOptions options_;
  Memory memory_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Portfolio>> Portfolio::Make(const model::Service& service,
                                                           PortfolioOptions options) {
  std::vector<std::string> names = EngineNames();
  names.push_back(kKnownPaths);
  for (const std::string& engine : options.engines) {
    if (Contains(names, engine)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("no engine ", engine, " in a portfolio, only ", absl::StrJoin(names, ", ")));
  }
  if (options.threads == 0) return absl::InvalidArgumentError("a portfolio needs a thread");
  return std::make_unique<EnginePortfolio>(service, std::move(options));
}

}  // namespace foretell::predictors
