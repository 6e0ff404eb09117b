// Services that break the contract of model/service.h: every engine says so, and claims nothing.

#include <gtest/gtest.h>

#include "foretell/model/typed/service.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::NodeId;

enum class Fault { kNone, kCounter, kMissingMember, kActions };

struct Step {};

// Node 0 steps from 0 to 3 and tells node 1 each time; node 1 at 3 is a violation.
struct StepProtocol {
  struct State {
    uint32_t at = 0;
    uint32_t hidden = 0;  // Not in Fields, which the macro would not let pass.
    template <class V>
    void Fields(V& v) {
      v("at", at);
    }
  };
  using Message = Step;
  using Action = Step;
  Fault fault = Fault::kNone;
  mutable uint32_t runs = 0;
  mutable uint32_t asked = 0;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node != NodeId(0) || state.at == 3) return {};
    if (fault == Fault::kActions && ++asked > 3) return {};
    return {{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    ++state.at;
    context.Send(NodeId(1), {});
  }
  void OnMessage(State& state, NodeId, const Message&, model::Context<Message>&) const {
    ++runs;
    ++state.hidden;
    if (state.at < 3) ++state.at;
    if (fault == Fault::kCounter && runs > 5) state.at = 0;
    if (fault == Fault::kMissingMember && state.hidden == 2) state.at = 0;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, uint32_t>(
        {.name = "not-three", .text = "Node 1 does not get to 3."},
        [](NodeId node, const State& s) {
          return node == NodeId(1) ? std::optional(s.at) : std::nullopt;
        },
        [](uint32_t at) { return at == 3; })};
  }
};

class NondeterminismTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Engine, NondeterminismTest,
                         testing::Values("global", "por", "lmc", "lmc-gen", "consequence", "cover",
                                         "dir", "portfolio"));

model::Report Check(Fault fault, const std::string& engine) {
  const auto service = model::MakeService(StepProtocol{fault});
  return Explore(*service, model::InitialCut(*service), engine);
}

void ExpectAccused(const model::Report& report, const std::string& of) {
  EXPECT_EQ(report.outcome, model::Outcome::kNondeterminism);
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.violations.empty());
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.back().find(of), std::string::npos) << report.notes.back();
}

TEST_P(NondeterminismTest, ADeterministicServiceIsNotAccused) {
  EXPECT_EQ(Check(Fault::kNone, GetParam()).outcome, model::Outcome::kViolation);
}

TEST_P(NondeterminismTest, AHiddenCounterIsAFindingThatNamesTheEvent) {
  ExpectAccused(Check(Fault::kCounter, GetParam()),
                "Not deterministic: deliver Step() from node 0 at node 1: ");
}

TEST_P(NondeterminismTest, AMemberMissingInFieldsIsAFinding) {
  ExpectAccused(Check(Fault::kMissingMember, GetParam()), "a member missing in Fields?");
}

TEST_P(NondeterminismTest, ActionsThatComeAndGoAreAFinding) {
  ExpectAccused(Check(Fault::kActions, GetParam()), "Not deterministic");
}

}  // namespace
}  // namespace foretell::tests
