// Correct systems: every engine is complete and silent, with known counts.

#include <gtest/gtest.h>

#include "foretell/integration/catalog.h"
#include "foretell/tests/support/counting_service.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

struct Clean {
  const char* service;
  const char* scenario;
  const char* engine;
  uint64_t states;  // Global states of global and por, node states of lmc and lmc-gen.
  uint64_t transitions;
  bool minimise = false;
};

void PrintTo(const Clean& c, std::ostream* out) { *out << c.scenario << ' ' << c.engine; }

std::string NameOf(const testing::TestParamInfo<Clean>& info) {
  std::string name =
      std::string(info.param.service) + "_" + info.param.scenario + "_" + info.param.engine;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

model::System Find(const std::string& service, const std::string& scenario) {
  for (const auto& family : integration::BuiltinServices()) {
    if (family->name() == service) return MakeOrDie(*family, scenario);
  }
  FORETELL_CHECK(false);
  return {};
}

class CleanTest : public testing::TestWithParam<Clean> {};

TEST_P(CleanTest, IsCompleteSilentAndCounted) {
  const Clean clean = GetParam();
  const model::System system = Find(clean.service, clean.scenario);
  predictors::EngineOptions options;
  options.minimise = clean.minimise;
  const model::Report report = Explore(*system.service, system.start, clean.engine, options);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.notes.empty()) << report.notes[0];
  const bool local = std::string(clean.engine).find("lmc") == 0;
  EXPECT_EQ(local ? report.stats.node_states : report.stats.global_states, clean.states);
  EXPECT_EQ(report.stats.transitions, clean.transitions);
}

// one-proposal: the counts of the design page, which other checkers confirm.
INSTANTIATE_TEST_SUITE_P(Paxos, CleanTest,
                         testing::Values(Clean{"paxos", "one-proposal", "global", 7'068, 37'012},
                                         Clean{"paxos", "one-proposal", "por", 67, 74},
                                         Clean{"paxos", "one-proposal", "lmc", 92, 389},
                                         Clean{"paxos", "one-proposal", "lmc-gen", 92, 389},
                                         Clean{"paxos", "two-proposals", "por", 5'668, 7'087},
                                         Clean{"paxos", "two-proposals", "lmc", 2'556, 66'750},
                                         Clean{"paxos", "learned-by-one", "global", 7'068, 37'012},
                                         Clean{"paxos", "learned-by-one", "por", 69, 76},
                                         Clean{"paxos", "learned-by-one", "lmc", 92, 389},
                                         Clean{"paxos", "restart", "global", 35'620, 180'880},
                                         Clean{"paxos", "restart", "por", 300, 369},
                                         Clean{"paxos", "restart", "lmc", 120, 519},
                                         Clean{"paxos", "stepping-stone", "global", 7'068, 37'012},
                                         Clean{"paxos", "stepping-stone", "por", 72, 79},
                                         Clean{"paxos", "stepping-stone", "lmc", 92, 389}),
                         NameOf);

INSTANTIATE_TEST_SUITE_P(OnePaxos, CleanTest,
                         testing::Values(Clean{"onepaxos", "leader-changed", "global", 39, 77},
                                         Clean{"onepaxos", "leader-changed", "por", 13, 12},
                                         Clean{"onepaxos", "leader-changed", "lmc", 10, 10},
                                         Clean{"onepaxos", "leader-changed", "lmc-gen", 10, 10},
                                         Clean{"onepaxos", "acceptor-changed", "global", 33'996,
                                               201'156},
                                         Clean{"onepaxos", "acceptor-changed", "por", 84, 91},
                                         Clean{"onepaxos", "acceptor-changed", "lmc", 166, 835}),
                         NameOf);

// The same over classes of node states.
constexpr bool kMinimise = true;
INSTANTIATE_TEST_SUITE_P(
    Minimised, CleanTest,
    testing::Values(Clean{"paxos", "one-proposal", "global", 7'068, 37'012, kMinimise},
                    Clean{"paxos", "one-proposal", "por", 50, 57, kMinimise},
                    Clean{"paxos", "two-proposals", "global", 434'778, 4'156'256, kMinimise},
                    Clean{"paxos", "two-proposals", "por", 1'711, 2'623, kMinimise},
                    Clean{"raft", "votes", "por", 17'323, 42'143, kMinimise}),
    NameOf);

// Nobody votes twice in a term, whatever a disk forgets to write and a crash takes.
INSTANTIATE_TEST_SUITE_P(Raft, CleanTest,
                         testing::Values(Clean{"raft", "votes", "global", 343'619, 1'376'121},
                                         Clean{"raft", "votes", "por", 81'012, 155'798},
                                         Clean{"raft", "pre-votes", "por", 50'529, 87'533}),
                         NameOf);

// Whatever an engine asks, it asks once.
TEST(HandlerExecutionsTest, AreAtMostOnePerDistinctQuestion) {
  for (const char* const engine : {"global", "por", "lmc", "lmc-gen"}) {
    const model::System system = Find("paxos", "one-proposal");
    const CountingService counting(*system.service);
    const model::Report report = Explore(counting, system.start, engine);
    EXPECT_TRUE(report.complete);
    EXPECT_GT(*report.stats.handler_executions, 100u) << engine;
    EXPECT_LE(*report.stats.handler_executions, counting.distinct()) << engine;
  }
}

TEST(DeterminismTest, EveryEngineGivesTheSameReportTwice) {
  const model::System system = Find("paxos", "restart");
  for (const char* const engine : {"global", "por", "lmc"}) {
    ExpectSame(Explore(system, engine), Explore(system, engine));
  }
}

// The budget ends in the middle of things, and always in the same place.
TEST(DeterminismTest, AnEndedSearchGivesTheSameReportTwice) {
  const model::System system = Find("paxos", "two-proposals");
  for (const char* const engine : {"global", "por", "lmc", "lmc-gen"}) {
    const auto once = [&] { return Explore(*system.service, system.start, engine, {}, 20'000); };
    const model::Report report = once();
    EXPECT_EQ(report.outcome, model::Outcome::kBudget);
    EXPECT_FALSE(report.complete);
    ExpectSame(report, once());
  }
}

TEST(DeterminismTest, AnEndedSearchSaysWhichLimitEndedIt) {
  const model::System system = Find("paxos", "two-proposals");
  for (const char* const engine : {"global", "por", "lmc", "lmc-gen"}) {
    const model::Report report = Explore(*system.service, system.start, engine, {}, 20'000);
    ASSERT_FALSE(report.notes.empty()) << engine;
    EXPECT_EQ(report.notes.back(), "Ended by the limit on steps.") << engine;
  }
}

}  // namespace
}  // namespace foretell::tests
