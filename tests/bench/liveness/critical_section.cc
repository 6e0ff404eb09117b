#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/tests/bench/liveness/executions.h"
#include "foretell/tests/bench/liveness/planted.h"
#include "foretell/tests/bench/liveness/sections.h"

namespace foretell::bench {
namespace {

constexpr uint32_t kWalks[] = {20, 60};  // The paper's k.
constexpr uint64_t kSeed = 1;

// How one way to find the critical transition did.
struct Score {
  size_t exact = 0;
  size_t early = 0;
  size_t early_most = 0;  // By so many steps at most.
  size_t unsure = 0;      // C2: no transition is named.
  uint64_t steps = 0;     // In all.

  void Add(size_t found, bool certain, size_t truth, uint64_t more) {
    steps += more;
    if (!certain) {
      ++unsure;
    } else if (found == truth) {
      ++exact;
    } else {
      ++early;
      early_most = std::max(early_most, truth - std::min(found, truth));
    }
  }
};

void Add(const Score& from, Score& to) {
  to.exact += from.exact;
  to.early += from.early;
  to.early_most = std::max(to.early_most, from.early_most);
  to.unsure += from.unsure;
  to.steps += from.steps;
}

struct Scores {
  Score paper[std::size(kWalks)];
  Score ours;
  size_t executions = 0;
};

// By halving, as engine `live` does, with an oracle that remembers nothing of the others.
void Ours(Subject& subject, const Execution& execution, uint64_t seed, Score& score) {
  search::Oracle oracle = subject.FreshOracle(seed);
  model::Budget budget = model::Budget::Unlimited();
  const auto is_dead = [&](size_t step) {
    return oracle.Judge(subject.For(oracle, execution.At(step)), budget).fate ==
           search::Oracle::Fate::kDead;
  };
  size_t dead = execution.states.size() - 1;
  for (size_t low = execution.first; low < dead;) {
    const size_t middle = low + (dead - low) / 2;
    if (is_dead(middle)) {
      dead = middle;
    } else {
      low = middle + 1;
    }
  }
  score.Add(dead, is_dead(dead), execution.dead, budget.steps_taken());
}

std::vector<std::string> Cells(const Score& score, size_t executions) {
  return {absl::StrCat(score.early), score.early == 0 ? kNoFigure : absl::StrCat(score.early_most),
          absl::StrCat(score.unsure), Count(score.steps / std::max<size_t>(1, executions))};
}

Table::Row RowOf(const std::string& name, const std::string& drawn, const Scores& scores,
                 const std::string& remark) {
  Table::Row row = {name, Count(scores.executions), drawn};
  for (const Score& score : scores.paper) {
    const auto cells = Cells(score, scores.executions);
    row.insert(row.end(), cells.begin(), cells.end());
  }
  row.push_back(absl::StrCat(scores.ours.exact));
  row.push_back(Count(scores.ours.steps / std::max<size_t>(1, scores.executions)));
  row.push_back(remark);
  return row;
}

}  // namespace

int PrintCriticalTransitions(const Bench& bench, size_t executions) {
  Table table;
  table.Add({"bug", "runs", "random", "k=20: early", "by", "C2", "steps", "k=60: early", "by", "C2",
             "steps", "ours: exact", "steps", ""});
  Scores all;
  int wrong = 0;
  for (const PlantedDeath& row : kPlantedDeaths) {
    const auto selection = bench.Select(row.service, row.scenario, row.bug);
    predictors::EngineOptions options;
    options.property = row.property;
    const Measured found = bench.CheckOnce(selection, "live", UINT64_MAX, options);
    if (found.report.violations.empty()) {
      ++wrong;
      continue;
    }
    Subject subject(selection, row.property, kSeed);
    const Deaths deaths =
        DrawDeaths(subject, executions, found.report.violations[0].path, row.by_loss);
    Scores scores{.executions = deaths.executions.size()};
    for (size_t i = 0; i < deaths.executions.size(); ++i) {
      const Execution& execution = deaths.executions[i];
      for (size_t k = 0; k < std::size(kWalks); ++k) {
        const auto result = FindCriticalTransition(subject, execution, {.walks = kWalks[k]});
        scores.paper[k].Add(result.critical, result.certain, execution.dead, result.steps);
      }
      Ours(subject, execution, kSeed + i, scores.ours);
    }
    const bool right = deaths.proved && scores.ours.exact == scores.executions;
    wrong += right ? 0 : 1;
    table.Add(RowOf(absl::StrCat(row.service, " ", row.scenario, ", ", row.bug),
                    Count(deaths.drawn), scores, right ? "" : "WRONG"));
    for (size_t k = 0; k < std::size(kWalks); ++k) Add(scores.paper[k], all.paper[k]);
    Add(scores.ours, all.ours);
    all.executions += scores.executions;
  }
  table.Add(RowOf("all", "", all, ""));
  std::cout
      << "The critical transition of executions that died: the paper's algorithm 3 (k walks "
         "to depth 2,000) and ours\n\n"
      << table.Text(1)
      << "\nearly: so many were called dead before they were, by at most so many steps. C2: the "
         "algorithm cannot tell, as it\nalways does of what is dead as soon as it is not live. "
         "steps: of walks, on average; ours: of whatever it takes.\nrandom: of random steps; the "
         "other runs begin with the path that engine live found. In each, the proof of the\n"
         "first dead state was checked again, and a way to recover from the one before it "
         "replayed.\n\n";
  return wrong;
}

}  // namespace foretell::bench
