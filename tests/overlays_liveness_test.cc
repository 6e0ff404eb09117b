// Overlays that stabilise for ever, judged state by state: who can still get to where the predicate
// holds by what can be counted on, and the shortest way to where nobody can.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "foretell/integration/catalog.h"
#include "foretell/model/check.h"
#include "foretell/search/naive_liveness.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using search::NaiveLivenessResult;

NaiveLivenessResult Judge(const std::string& service, const std::string& scenario,
                          const std::string& bug, const std::string& property) {
  const model::Catalog catalog = integration::BuiltinServices();
  const model::System system = MakeOrDie(*model::FindFamily(catalog, service), scenario, bug);
  const auto invariants = system.service->invariants();
  for (size_t i = 0; i < invariants.size(); ++i) {
    if (invariants[i].name != property) continue;
    NaiveLivenessResult result = search::NaiveLiveness(*system.service, system.start, i);
    EXPECT_TRUE(result.finished);
    return result;
  }
  ADD_FAILURE() << "no property " << property;
  return {};
}

// The name of a case; ctest wants letters, digits and underscores.
std::string Identifier(std::string name) {
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

struct Healthy {
  const char* service;
  const char* scenario;
  const char* property;
  uint64_t states;
  uint64_t live;
};

void PrintTo(const Healthy& h, std::ostream* out) { *out << h.scenario << ' ' << h.property; }

std::string NameOfHealthy(const testing::TestParamInfo<Healthy>& info) {
  return Identifier(std::string(info.param.scenario) + "_" + info.param.property);
}

class HealthyOverlayTest : public testing::TestWithParam<Healthy> {};

TEST_P(HealthyOverlayTest, RecoversFromEveryState) {
  const Healthy healthy = GetParam();
  const NaiveLivenessResult result = Judge(healthy.service, healthy.scenario, "", healthy.property);
  EXPECT_TRUE(result.dead.empty());
  EXPECT_EQ(result.states, healthy.states);
  EXPECT_EQ(result.live, healthy.live);
}

INSTANTIATE_TEST_SUITE_P(
    Chord, HealthyOverlayTest,
    testing::Values(Healthy{"chord", "ring-3", "all-nodes", 478, 81},
                    Healthy{"chord", "ring-3", "preds-match", 478, 63},
                    Healthy{"chord", "ring-3", "all-joined", 478, 341},
                    Healthy{"chord", "ring-3-sources", "all-nodes", 832, 156},
                    Healthy{"chord", "ring-4", "all-nodes", 19'017, 729},
                    Healthy{"chord", "ring-2-reset", "all-nodes", 121, 29},
                    Healthy{"chord", "ring-2-reset", "preds-match", 121, 29},
                    Healthy{"chord", "ring-2-reset", "all-joined", 121, 41},
                    Healthy{"chord", "ring-3-reset", "all-nodes", 19'259, 2'949},
                    Healthy{"chord", "ring-3-reset", "preds-match", 19'259, 2'661},
                    Healthy{"chord", "ring-3-source-reset", "all-nodes", 34'455, 4'743},
                    Healthy{"chord", "ring-3-source-reset", "all-joined", 34'455, 16'913}),
    NameOfHealthy);

INSTANTIATE_TEST_SUITE_P(
    Pastry, HealthyOverlayTest,
    testing::Values(Healthy{"pastry", "leaves-2", "all-joined", 19, 13},
                    Healthy{"pastry", "leaves-2", "all-nodes", 19, 11},
                    Healthy{"pastry", "leaves-2-reset", "all-joined", 291, 211},
                    Healthy{"pastry", "leaves-2-reset", "all-nodes", 291, 173},
                    Healthy{"pastry", "leaves-2-idle", "all-joined", 191, 111},
                    Healthy{"pastry", "leaves-2-idle", "all-nodes", 191, 99},
                    Healthy{"pastry", "leaves-2-first-reset", "all-joined", 452, 393},
                    Healthy{"pastry", "leaves-2-first-reset", "all-nodes", 452, 295},
                    Healthy{"pastry", "leaves-3", "all-joined", 2'298, 2'142},
                    Healthy{"pastry", "leaves-3", "all-nodes", 2'298, 1'719}),
    NameOfHealthy);

struct Deadly {
  const char* service;
  const char* bug;
  const char* scenario;
  const char* property;
  uint64_t states;
  uint64_t dead;
  // The first of the shortest ways into death.
  size_t steps;
  uint32_t node;
  const char* event;
};

void PrintTo(const Deadly& d, std::ostream* out) { *out << d.bug << ' ' << d.property; }

std::string NameOfDeadly(const testing::TestParamInfo<Deadly>& info) {
  return Identifier(std::string(info.param.bug) + "_" + info.param.scenario + "_" +
                    info.param.property);
}

class DeadlyOverlayTest : public testing::TestWithParam<Deadly> {};

TEST_P(DeadlyOverlayTest, DiesAtTheCriticalStep) {
  const Deadly deadly = GetParam();
  const NaiveLivenessResult result =
      Judge(deadly.service, deadly.scenario, deadly.bug, deadly.property);
  EXPECT_FALSE(result.start_dead);
  EXPECT_EQ(result.states, deadly.states);
  EXPECT_EQ(result.dead.size(), deadly.dead);
  ASSERT_FALSE(result.kinds.empty());
  EXPECT_EQ(result.kinds[0].path.size(), deadly.steps);
  EXPECT_EQ(result.kinds[0].node, model::NodeId(deadly.node));
  EXPECT_EQ(result.kinds[0].event, deadly.event);
}

INSTANTIATE_TEST_SUITE_P(Chord, DeadlyOverlayTest,
                         testing::Values(Deadly{"chord", "no-notify", "ring-3", "all-nodes", 484,
                                                99, 7, 0, "deliver UpdatePred"},
                                         Deadly{"chord", "deaf-bootstrap", "ring-3", "all-joined",
                                                511, 38, 2, 0, "deliver FindPred"},
                                         Deadly{"chord", "mute-outsider", "ring-3-reset",
                                                "all-nodes", 12'707, 56, 12, 2, "deliver GetPred"},
                                         Deadly{"chord", "own-successor", "ring-3-source-reset",
                                                "all-nodes", 32'817, 6'402, 14, 0,
                                                "deliver GetPredReply"}),
                         NameOfDeadly);

INSTANTIATE_TEST_SUITE_P(Pastry, DeadlyOverlayTest,
                         testing::Values(Deadly{"pastry", "rejoin", "leaves-2-idle", "all-joined",
                                                175, 18, 5, 1, "action Reset"},
                                         Deadly{"pastry", "no-merge", "leaves-3", "all-nodes",
                                                1'060, 173, 4, 0, "deliver JoinRequest"},
                                         Deadly{"pastry", "no-recovery", "leaves-2-first-reset",
                                                "all-nodes", 164, 14, 7, 1, "deliver Gone"},
                                         Deadly{"pastry", "lost-deferred", "leaves-2", "all-joined",
                                                20, 2, 2, 0, "deliver JoinRequest"},
                                         Deadly{"pastry", "lost-deferred", "leaves-3", "all-joined",
                                                2'331, 38, 2, 0, "deliver JoinRequest"}),
                         NameOfDeadly);

// MaceMC answers "transition 0, C2" here: its walks cannot tell a dead start from a short walk.
TEST(OverlayLivenessTest, ChordWithASelfLoopIsDeadFromTheStart) {
  const NaiveLivenessResult result = Judge("chord", "ring-3", "self-loop", "all-nodes");
  EXPECT_TRUE(result.start_dead);
  EXPECT_EQ(result.states, 122u);
  EXPECT_EQ(result.dead.size(), 122u);
  EXPECT_TRUE(result.kinds.empty());
  EXPECT_TRUE(Judge("chord", "ring-3", "self-loop", "all-joined").dead.empty());
}

// The other way into the same death: what was under way to the former life could still have saved
// the new one, had it been called to join before that arrived.
TEST(OverlayLivenessTest, APastryNodeThatCannotRejoinHasOneMoreWayToGetThere) {
  const NaiveLivenessResult result = Judge("pastry", "leaves-2-idle", "rejoin", "all-joined");
  ASSERT_EQ(result.kinds.size(), 2u);
  EXPECT_EQ(result.kinds[1].node, model::NodeId(1));
  EXPECT_EQ(result.kinds[1].event, "deliver LeafsetInfo");
  EXPECT_EQ(result.kinds[1].path.size(), 9u);
}

// A safety property is broken and yet everything comes right: the next one to join repairs it.
TEST(OverlayLivenessTest, AStuckPairRecovers) {
  EXPECT_TRUE(Judge("chord", "ring-3-reset", "stuck-pair", "all-nodes").dead.empty());
}

}  // namespace
}  // namespace foretell::tests
