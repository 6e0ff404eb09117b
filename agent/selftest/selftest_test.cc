#include "foretell/agent/selftest/selftest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "foretell/model/plain/plain_system.h"
#include "foretell/search/naive_search.h"

namespace foretell::agent {
namespace {

using model::Report;
using model::Service;
using testing::HasSubstr;

// Fails in a chosen way, or not at all.
enum class Mistake {
  kNone,
  kFindsNothing,   // Says complete at once.
  kLosesSteps,     // Never takes the third of the possible steps.
  kCriesWolf,      // Reports what it did not see.
  kCutsPaths,      // Forgets the last step of its paths.
  kMiscounts,      // One state too many.
  kWanders,        // A step to and fro before the way proper.
  kGivesUp,        // Complete in fact, but does not dare to say so.
  kChangesItsMind  // Every run is a little different.
};

// The naive search as an engine, with a mistake planted.
class PlantedExplorer final : public model::Explorer {
 public:
  PlantedExplorer(const Service& service, Mistake mistake, uint64_t run)
      : service_(service), mistake_(mistake), run_(run) {}

  absl::StatusOr<Report> Explore(const model::SystemCut& start, model::Budget&) override {
    if (mistake_ == Mistake::kLosesSteps) return Finish(ExploreLosing(start), 0);
    const search::NaiveResult truth = search::NaiveSearch(service_, start, 100'000);
    std::map<std::string, model::Path> found = truth.violated;
    if (mistake_ == Mistake::kFindsNothing) found.clear();
    if (mistake_ == Mistake::kCriesWolf && !service_.invariants().empty()) {
      found.emplace(service_.invariants()[0].name, model::Path{});
    }
    for (auto& [name, path] : found) {
      if (mistake_ == Mistake::kCutsPaths && !path.empty()) path.pop_back();
      if (mistake_ == Mistake::kWanders) Wander(start, name, path);
    }
    return Finish(found, truth.states);
  }

 private:
  Report Finish(const std::map<std::string, model::Path>& found, uint64_t states) const {
    Report report;
    for (const auto& [name, path] : found) report.violations.push_back({name, "", path});
    report.complete = mistake_ != Mistake::kGivesUp;
    report.outcome = !found.empty()    ? model::Outcome::kViolation
                     : report.complete ? model::Outcome::kNone
                                       : model::Outcome::kBudget;
    if (mistake_ == Mistake::kChangesItsMind) report.stats.transitions = run_;
    report.stats.global_states = states + (mistake_ == Mistake::kMiscounts ? 1 : 0);
    return report;
  }

  std::map<std::string, model::Path> ExploreLosing(const model::SystemCut& start) const {
    std::map<std::string, model::Path> found;
    std::set<model::SystemCut> seen;
    std::vector<std::pair<model::SystemCut, model::Path>> stack = {{start, {}}};
    while (!stack.empty()) {
      const auto [cut, path] = std::move(stack.back());
      stack.pop_back();
      const model::PlainSystem here(service_, cut);
      if (!seen.insert(here.Canonical()).second) continue;
      for (const std::string& name : here.Violated()) found.emplace(name, path);
      const std::vector<model::PathStep> enabled = here.Enabled();
      for (size_t i = 0; i < enabled.size(); ++i) {
        if (i == 2) continue;
        model::PlainSystem next = here;
        EXPECT_TRUE(next.Apply(enabled[i]).ok());
        stack.emplace_back(next.state(), path);
        stack.back().second.push_back(enabled[i]);
      }
    }
    return found;
  }

  // Puts one needless step in front if the path still replays.
  void Wander(const model::SystemCut& start, const std::string& name, model::Path& path) const {
    for (const model::PathStep& step : model::PlainSystem(service_, start).Enabled()) {
      model::Path longer = path;
      longer.insert(longer.begin(), step);
      if (model::Confirm(service_, start, name, longer).ok()) {
        path = std::move(longer);
        return;
      }
    }
  }

  const Service& service_;
  Mistake mistake_;
  uint64_t run_;
};

SelftestEngine Planted(Mistake mistake) {
  const auto runs = std::make_shared<uint64_t>(0);
  return {.name = "planted",
          .make =
              [mistake, runs](const Service& service) {
                return std::make_unique<PlantedExplorer>(service, mistake, (*runs)++);
              },
          .promises = {.completes = true,
                       .shortest_paths = mistake != Mistake::kLosesSteps,
                       .counts_states = mistake != Mistake::kLosesSteps}};
}

SelftestReport RunWith(Mistake mistake, uint64_t count = 40) {
  return RunSelftest({.count = count, .details_max = 1}, {Planted(mistake)});
}

Complaint FirstComplaint(Mistake mistake) {
  const SelftestReport report = RunWith(mistake);
  EXPECT_FALSE(report.agreed());
  if (report.disagreements.empty()) return Complaint::kFailed;
  return report.disagreements[0].complaint;
}

TEST(SelftestTest, TheNaiveSearchAgreesWithItself) {
  const SelftestReport report = RunWith(Mistake::kNone);
  EXPECT_TRUE(report.agreed());
  EXPECT_EQ(report.checked, 40u);
  EXPECT_EQ(report.engines[0].complete, 40u);
  std::ostringstream out;
  EXPECT_EQ(PrintSelftest(report, out), 0);
  EXPECT_THAT(out.str(), HasSubstr("all engines agree"));
}

TEST(SelftestTest, CatchesEverySortOfMistake) {
  EXPECT_EQ(FirstComplaint(Mistake::kFindsNothing), Complaint::kMissed);
  EXPECT_EQ(FirstComplaint(Mistake::kCriesWolf), Complaint::kFalseAlarm);
  EXPECT_EQ(FirstComplaint(Mistake::kCutsPaths), Complaint::kPath);
  EXPECT_EQ(FirstComplaint(Mistake::kMiscounts), Complaint::kStates);
  EXPECT_EQ(FirstComplaint(Mistake::kWanders), Complaint::kPath);
  EXPECT_EQ(FirstComplaint(Mistake::kGivesUp), Complaint::kIncomplete);
  EXPECT_EQ(FirstComplaint(Mistake::kChangesItsMind), Complaint::kUnsteady);
}

// A search that never takes the third possible step is wrong on few services, and the smallest of
// them has three events at once and little else.
TEST(SelftestTest, FindsLostStepsAndShrinksTheService) {
  const SelftestReport report = RunWith(Mistake::kLosesSteps);
  ASSERT_FALSE(report.disagreements.empty());
  const Disagreement& disagreement = report.disagreements[0];
  EXPECT_EQ(disagreement.complaint, Complaint::kMissed);
  EXPECT_EQ(disagreement.expected.size(), disagreement.found.size() + 1);
  EXPECT_FALSE(disagreement.missed_path.empty());
  EXPECT_LE(disagreement.spec.rules.size(), 5u);
  EXPECT_LE(disagreement.spec.invariants.size(), 1u);
  std::ostringstream out;
  EXPECT_EQ(PrintSelftest(report, out), 1);
  EXPECT_THAT(out.str(), HasSubstr("DISAGREEMENT seed "));
  EXPECT_THAT(out.str(), HasSubstr("missed violation"));
}

TEST(SelftestTest, ProgramsThatBlockAreChecked) {
  const SelftestReport report =
      RunSelftest({.count = 0, .programs = 20}, {Planted(Mistake::kNone)});
  EXPECT_TRUE(report.agreed());
  EXPECT_EQ(report.programs, 20u);
  EXPECT_GT(report.violated * 100, report.invariants * 10);
  EXPECT_EQ(report.deep, report.violated);
}

TEST(SelftestTest, ProgramsAreShrunkToo) {
  const SelftestReport report = RunSelftest({.count = 0, .programs = 20, .details_max = 1},
                                            {Planted(Mistake::kFindsNothing)});
  ASSERT_FALSE(report.disagreements.empty());
  const Disagreement& disagreement = report.disagreements[0];
  EXPECT_EQ(disagreement.complaint, Complaint::kMissed);
  EXPECT_FALSE(disagreement.missed_path.empty());
  // A line for each process, of the few instructions that it takes.
  size_t instructions = 0;
  for (const std::string& line : disagreement.service) {
    instructions += static_cast<size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  }
  EXPECT_GE(disagreement.service.size(), 2u);
  EXPECT_LE(instructions, 8u);
}

TEST(SelftestTest, AllEnginesAgreeOnProgramsThatBlock) {
  const SelftestReport report = RunSelftest({.count = 0, .programs = 12}, StandardEngines());
  std::ostringstream out;
  EXPECT_EQ(PrintSelftest(report, out), 0) << out.str();
  for (const EngineTally& tally : report.engines) {
    if (tally.engine != "dpor") continue;
    EXPECT_EQ(tally.complete, 12u);
    EXPECT_GT(tally.violations, 0u);
  }
}

TEST(SelftestTest, AnEngineThatDoesNotExistIsADisagreement) {
  const SelftestReport report =
      RunSelftest({.count = 2, .details_max = 1, .attempts_max = 10},
                  {{.name = "absent", .make = [](const Service&) { return nullptr; }}});
  EXPECT_EQ(report.engines[0].disagreements, 2u);
}

// Depth first nobody promises shortest paths.
TEST(SelftestTest, EveryEngineIsTestedInEveryVariant) {
  std::map<std::string, bool> shortest;
  for (const SelftestEngine& engine : StandardEngines()) {
    shortest[engine.name] = engine.promises.shortest_paths;
  }
  EXPECT_EQ(shortest, (std::map<std::string, bool>{{"lmc", false},
                                                   {"lmc not minimised", false},
                                                   {"lmc-gen", false},
                                                   {"global", true},
                                                   {"global-minimised", true},
                                                   {"global-dfs", false},
                                                   {"por", false},
                                                   {"por not minimised", false},
                                                   {"por-dfs", false},
                                                   {"consequence", false},
                                                   {"cover", false},
                                                   {"dir", false},
                                                   {"dir conservative", false},
                                                   {"dpor", false},
                                                   {"portfolio", false}}));
}

// The services must stay a good mixture: many violations, many of them deep, few too large.
TEST(SelftestTest, TheServicesAreWorthChecking) {
  const SelftestReport report = RunSelftest({.count = 200}, {});
  EXPECT_LT(report.skipped, 20u);
  EXPECT_GT(report.states / report.checked, 100u);
  EXPECT_GT(report.violated * 100, report.invariants * 30);
  EXPECT_LT(report.violated * 100, report.invariants * 70);
  EXPECT_GT(report.deep * 100, report.violated * 25);
}

}  // namespace
}  // namespace foretell::agent
