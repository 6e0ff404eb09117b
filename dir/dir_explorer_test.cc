#include "foretell/dir/dir_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "foretell/dir/testing/gossip.h"
#include "foretell/dir/testing/temp_folder.h"
#include "foretell/search/naive_search.h"

namespace foretell::dir {
namespace {

using testing::GossipProtocol;
using ::testing::HasSubstr;
using testing::MakeGossip;
using ::testing::Not;

TEST(DirExplorerTest, FindsTheViolationsOfTheNaiveSearch) {
  const model::System system = MakeGossip({.nodes = 3, .crashes_max = 1});
  const auto naive = search::NaiveSearch(*system.service, system.start, 1'000'000);
  ASSERT_TRUE(naive.finished);
  for (const uint32_t threads : {1u, 2u}) {
    DirOptions options;
    options.all_invariants = true;
    options.threads = threads;
    model::Budget budget = model::Budget::Unlimited();
    const auto report = MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->complete);
    std::set<std::string> names;
    for (const model::Violation& violation : report->violations) names.insert(violation.invariant);
    EXPECT_EQ(names, naive.ViolatedNames());
  }
}

TEST(DirExplorerTest, NamesAComponentThatIsNone) {
  const model::System system = MakeGossip({.nodes = 3});
  DirOptions options;
  options.components = "0,1/3";
  model::Budget budget = model::Budget::Unlimited();
  const auto report = MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
  EXPECT_EQ(report.status().message(), "there is no node 3, the last is 2");
}

// The report as text, without its costs in time and memory.
std::string ReportText(const model::Report& report) {
  std::string text = report.complete ? "complete" : "not complete";
  for (const model::Violation& violation : report.violations) {
    text += "\n" + violation.invariant;
    for (const model::PathStep& step : violation.path) {
      text += " " + std::to_string(step.node.value()) + ":" + step.event.body;
    }
  }
  for (const std::string& note : report.notes) text += "\n" + note;
  return text + "\n" + std::to_string(report.stats.traces.value_or(0)) + " traces, " +
         std::to_string(report.stats.transitions.value_or(0)) + " transitions";
}

auto JournalAt(const std::string& path) {
  return
      [path](const Components& components, const std::string& basis, EventNumbers& event_numbers) {
        return JournalFile::Open(path, basis, components, event_numbers);
      };
}

std::string Explored(const model::System& system, const DirOptions& options,
                     model::Budget budget = model::Budget::Unlimited()) {
  const auto report = MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
  return report.ok() ? ReportText(*report) : report.status().ToString();
}

TEST(DirExplorerTest, TheNumberOfThreadsDoesNotShowInReports) {
  const model::System system = MakeGossip({.nodes = 3, .crashes_max = 1});
  for (const bool all : {false, true}) {
    DirOptions options;
    options.all_invariants = all;
    const std::string alone = Explored(system, options);
    for (const uint32_t threads : {2u, 3u, 64u}) {
      options.threads = threads;
      for (int again = 0; again < 5; ++again) EXPECT_EQ(Explored(system, options), alone);
    }
  }
}

// With threads, every component has a table of its own besides the composer's.
TEST(DirExplorerTest, TheTablesOfAllThreadsCount) {
  const model::System system = MakeGossip({.nodes = 3, .crashes_max = 1});
  const auto stats = [&](uint32_t threads) {
    DirOptions options;
    options.all_invariants = true;
    options.threads = threads;
    model::Budget budget = model::Budget::Unlimited();
    const auto report = MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
    return report.ok() ? report->stats : model::Stats();
  };
  const model::Stats alone = stats(1);
  const model::Stats two = stats(2);
  EXPECT_GT(alone.node_states.value_or(0), 0u);
  EXPECT_EQ(two.node_states, alone.node_states) << "each once";
  EXPECT_GT(two.handler_executions, alone.handler_executions) << "each in every table";
  EXPECT_EQ(stats(3).handler_executions, two.handler_executions);
}

TEST(DirExplorerTest, ALimitOnStepsIsRepeatableWithThreads) {
  const model::System system = MakeGossip({.nodes = 3, .crashes_max = 1});
  const auto within = [&](uint64_t steps, uint32_t threads) {
    DirOptions options;
    options.all_invariants = true;
    options.threads = threads;
    return Explored(system, options,
                    model::Budget({.steps_max = steps}, [] { return model::Budget::Time{}; }));
  };
  for (const uint64_t steps : {1u, 100u, 700u, 2'000u}) {
    EXPECT_EQ(within(steps, 2), within(steps, 1)) << steps;
  }
}

TEST(DirExplorerTest, AJournalDoesNotKnowTheTracesOfParts) {
  const model::System system = MakeGossip({.nodes = 3});
  DirOptions options;
  options.components = "(0/1)/2";
  options.all_invariants = true;
  options.journal = JournalAt(testing::TempFolder() + "/journal");
  EXPECT_THAT(Explored(system, options), HasSubstr(" local traces stand for at least "));
  EXPECT_THAT(Explored(system, options), HasSubstr(" global skeletons stand for at least "));
}

TEST(DirExplorerTest, WhatWentOnAfterAKillSaysTheSame) {
  const model::System system = MakeGossip({.nodes = 3});
  DirOptions options;
  options.all_invariants = true;
  options.journal = JournalAt(testing::TempFolder() + "/journal");
  model::Budget first = model::Budget::Unlimited();
  const auto whole = MakeDirExplorer(*system.service, options)->Explore(system.start, first);
  model::Budget second = model::Budget::Unlimited();
  const auto again = MakeDirExplorer(*system.service, options)->Explore(system.start, second);
  ASSERT_TRUE(whole.ok() && again.ok());
  EXPECT_EQ(again->notes.front(), whole->notes.front()) << "skeletons and traces";
  EXPECT_EQ(again->complete, whole->complete);
  ASSERT_EQ(again->violations.size(), whole->violations.size());
}

TEST(DirExplorerTest, ADamagedJournalCostsNoMoreThanItsDamage) {
  const model::System system = MakeGossip({.nodes = 3});
  DirOptions options;
  options.all_invariants = true;
  const std::string alone = Explored(system, options);
  const std::string path = testing::TempFolder() + "/journal";
  options.journal = JournalAt(path);
  EXPECT_EQ(Explored(system, options), alone) << "nothing to say about a new journal";
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
    file.put('\x55').put('\x55');
  }
  const std::string again = Explored(system, options);
  EXPECT_EQ(again.substr(0, again.find("Went on")), alone.substr(0, again.find("Went on")));
  EXPECT_THAT(again, HasSubstr(" units of the journal."));
  EXPECT_THAT(again, HasSubstr("The journal is damaged at offset "));
  EXPECT_THAT(again, Not(HasSubstr("cut off")));
}

TEST(DirExplorerTest, EndsByTheLimitOnMemory) {
  const model::System system = MakeGossip({.nodes = 4, .crashes_max = 1});
  for (const uint32_t threads : {1u, 2u}) {
    DirOptions options;
    options.all_invariants = true;
    options.threads = threads;
    model::Budget budget({.bytes_max = 1 << 20}, [] { return model::Budget::Time{}; });
    const auto report = MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_FALSE(report->complete);
    EXPECT_EQ(budget.ended_by(), model::Budget::Limit::kMemory);
  }
}

// Gossip, watched by somebody who gives up in the middle.
struct ThrowingProtocol : GossipProtocol {
  bool of_system = false;
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto best = [](model::NodeId, const State& state) -> std::optional<uint32_t> {
      if (state.best < 2) return std::nullopt;
      return state.best;
    };
    const model::InvariantInfo info{.name = "known", .text = "The best is known."};
    if (of_system) {
      return {model::SystemInvariant<State, uint32_t>(
          info, best, [](std::span<const std::optional<uint32_t>>) -> bool {
            throw std::runtime_error("nobody knows");
          })};
    }
    return {model::NodeInvariant<State, uint32_t>(
        info, best, [](uint32_t) -> bool { throw std::runtime_error("nobody knows"); })};
  }
};

TEST(DirExplorerTest, WhatAServiceThrowsReachesTheCaller) {
  for (const bool of_system : {false, true}) {
    ThrowingProtocol protocol;
    protocol.of_system = of_system;
    model::System system;
    system.service = model::MakeService(protocol);
    system.start = model::InitialCut(*system.service);
    for (const uint32_t threads : {1u, 3u}) {
      DirOptions options;
      options.threads = threads;
      EXPECT_THROW(Explored(system, options), std::runtime_error) << of_system << threads;
    }
  }
}

}  // namespace
}  // namespace foretell::dir
