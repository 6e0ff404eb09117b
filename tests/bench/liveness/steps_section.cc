#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/tests/bench/liveness/sections.h"
#include "foretell/tests/bench/liveness/subject.h"

namespace foretell::bench {
namespace {

constexpr uint32_t kPrefix = 15;     // Of the paper's figure 2.
constexpr uint32_t kDepth = 80'000;  // The paper's d_max.
constexpr uint64_t kSeed = 1;

// What the text of the paper's section 4.4 says of its systems after 50 steps; by 10,000 all of
// its executions were live. The figure itself has no numbers.
struct Row {
  const char* service;
  const char* scenario;
  const char* property;
  double paper_at_50;
  bool paper_below;
};
constexpr Row kRows[] = {
    {"transport", "two-give-ups", "all-acked", 0.60, false},
    {"randtree", "leaf-resets", "kids-match", 0.01, true},
    {"chord", "ring-4", "all-nodes", 0.01, true},
    {"pastry", "leaves-3", "all-nodes", 0, false},
};

// Liveness counts only beyond the prefix, as in the paper's algorithm 2.
uint64_t StepsOfOne(Subject& subject) {
  search::GlobalState state = subject.start();
  for (uint32_t i = 0; i < kPrefix && subject.AnyStep(state); ++i) {
  }
  model::Budget budget = model::Budget::Unlimited();
  const uint64_t before = subject.walker().steps();
  subject.walker().Walk(state, kDepth - kPrefix, budget,
                        [&](const search::GlobalState& s) { return subject.moves().Live(s); });
  return kPrefix + subject.walker().steps() - before;
}

}  // namespace

std::vector<StepsToLive> SampleStepsToLive(const Bench& bench, size_t samples) {
  std::vector<StepsToLive> systems;
  for (const Row& row : kRows) {
    const auto selection = bench.Select(row.service, row.scenario);
    Subject subject(selection, row.property, kSeed);
    StepsToLive& system = systems.emplace_back();
    system.name = row.service;
    system.system = absl::StrCat(row.service, " ", row.scenario);
    system.paper_at_50 = row.paper_at_50;
    system.paper_below = row.paper_below;
    for (size_t i = 0; i < samples; ++i) system.steps.push_back(StepsOfOne(subject));
    std::sort(system.steps.begin(), system.steps.end());
  }
  return systems;
}

void PrintStepsToLive(const std::vector<StepsToLive>& systems) {
  Table table;
  table.Add({"live after", "executions", "p10", "p50", "p90", "p99", "all", "within 50 steps",
             "the paper"});
  for (const StepsToLive& system : systems) {
    const std::vector<uint64_t>& steps = system.steps;
    const auto at = [&](size_t percent) {
      return Count(steps[(steps.size() - 1) * percent / 100]);
    };
    const auto within = static_cast<double>(
        std::upper_bound(steps.begin(), steps.end(), uint64_t{50}) - steps.begin());
    table.Add({system.system, Count(steps.size()), at(10), at(50), at(90), at(99), at(100),
               absl::StrFormat("%.1f %%", 100 * within / static_cast<double>(steps.size())),
               absl::StrFormat("%s%.0f %%", system.paper_below ? "below " : "",
                               100 * system.paper_at_50)});
  }
  std::cout << "Steps to a live state at a search depth of 15, as figure 2 of the paper, in which "
               "all were live by 10,000\n\n"
            << table.Text(1) << "\n";
}

void PrintWalks(const Bench& bench) {
  const auto selection = bench.Select("transport", "two-give-ups", "stale-syn");
  Subject subject(selection, "all-acked", kSeed);
  constexpr uint64_t kSteps = 2'000'000;
  model::Budget budget = model::Budget::Unlimited();
  const Seconds begin = ProcessorTime();
  while (subject.walker().steps() < kSteps) {
    subject.walker().Walk(subject.start(), 256, budget,
                          [](const search::GlobalState&) { return false; });
  }
  const Seconds time = ProcessorTime() - begin;
  std::cout << "Walks: "
            << Count(static_cast<uint64_t>(static_cast<double>(subject.walker().steps()) /
                                           time.count()))
            << " steps per second of processor time, one core (goal: 2,000,000)\n\n";
}

}  // namespace foretell::bench
