#include "foretell/search/liveness/critical.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/recovery/property_view.h"
#include "foretell/search/testing/ask_protocol.h"

namespace foretell::search {
namespace {

// Node 1 can go deaf, which kills, and hear again, on which nobody counts.
class BracketTest : public testing::Test {
 protected:
  // Takes, step by step, the action of the given name at whatever node has it.
  model::Path PathOf(const std::vector<std::string>& actions) const {
    model::PlainSystem system(*service_, start_);
    model::Path path;
    for (const std::string& wanted : actions) {
      for (const model::PathStep& step : system.Enabled()) {
        const bool action = step.event.kind == model::EventKind::kAction;
        if (!action || service_->RenderAction(step.event.body) != wanted + "()") continue;
        path.push_back(step);
        break;
      }
      EXPECT_TRUE(system.Apply(path.back()).ok());
    }
    EXPECT_EQ(path.size(), actions.size());
    return path;
  }
  std::pair<size_t, size_t> Critical(const std::vector<std::string>& actions) {
    model::Budget budget = model::Budget::Unlimited();
    const auto interval = Bracket(*service_, start_, PathOf(actions), oracle_, budget);
    return {interval.alive, interval.dead};
  }

  const std::unique_ptr<model::Service> service_ =
      model::MakeService(AskProtocol{.retries = true, .goes_deaf = true});
  const model::SystemCut start_ = model::InitialCut(*service_);
  const PropertyView view_{*service_, 0};
  model::TransitionTable table_{view_};
  model::InvariantTable invariants_{table_};
  RecoveryMoves moves_{table_, invariants_, model::CountOn::kCalls};
  Oracle oracle_{invariants_, moves_, {}, 1};
};

TEST_F(BracketTest, FindsTheStepThatKills) {
  EXPECT_EQ(Critical({"Call", "Retry", "GoDeaf", "Retry", "Retry"}), std::pair(2ul, 3ul));
  EXPECT_EQ(Critical({"GoDeaf"}), std::pair(0ul, 1ul));
  EXPECT_EQ(Critical({"Call", "Retry", "GoDeaf"}), std::pair(2ul, 3ul));
}

// Halving alone would look at the middle, where all is well, and miss what came before.
TEST_F(BracketTest, TheFirstDeathCountsAlthoughAFaultBroughtItBack) {
  EXPECT_EQ(Critical({"GoDeaf", "Recover", "Call", "GoDeaf"}), std::pair(0ul, 1ul));
  EXPECT_EQ(Critical({"Call", "GoDeaf", "Recover", "Retry", "Retry", "GoDeaf", "Retry"}),
            std::pair(1ul, 2ul));
}

}  // namespace
}  // namespace foretell::search
