#include "foretell/integration/examples/shipping.h"

#include <gtest/gtest.h>

#include "foretell/integration/testing/naive_bfs.h"

namespace foretell::integration::examples {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

TEST(ShippingTest, BackupsTakeUpAfterABreak) {
  const BfsResult result = NaiveBfs(MakeOrDie(*MakeShippingFamily(), "two-entries")).Run(100'000);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_GT(result.states, 100u);
}

TEST(ShippingTest, BlindBackupsDisagree) {
  const auto system = MakeShippingFamily()->Make("two-entries", "blind-append");
  ASSERT_TRUE(system.ok()) << system.status();
  const BfsResult result = NaiveBfs(*system).Run(100'000);
  EXPECT_FALSE(result.violations.empty());
}

// Entries that got lost without a word, as when a node was restarted, are asked for again.
TEST(ShippingTest, AGapIsNoticed) {
  const auto system = MakeOrDie(*MakeShippingFamily(), "live");
  const model::NodeId backup(1);
  const model::Event late{
      model::EventKind::kDeliver, model::NodeId(0),
      model::Encode(ShippingProtocol::Message(ShippingProtocol::Entry{.index = 3, .value = 4}))};
  const auto result =
      system.service->Run(backup, system.service->InitialState(backup), std::span(&late, 1), {});
  EXPECT_EQ(result.state, system.service->InitialState(backup));
  ASSERT_EQ(result.sends.size(), 1u);
  EXPECT_EQ(system.service->RenderMessage(result.sends[0].body), "Resume(next=0)");
}

}  // namespace
}  // namespace foretell::integration::examples
