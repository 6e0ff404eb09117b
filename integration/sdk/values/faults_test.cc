#include "foretell/integration/sdk/values/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using std::chrono::microseconds;
using testing::HasSubstr;

Faults Parsed(const std::string& words) {
  const auto faults = ParseFaults(words, {}, 3);
  EXPECT_TRUE(faults.ok()) << faults.status();
  return faults.value_or(Faults{});
}

TEST(FaultsTest, ReadsEveryWord) {
  const Faults faults =
      Parsed("loss=0.25 delay=5ms..0.02s duplicate=0.5 reorder=1 partition=1,2 seed=7");
  EXPECT_EQ(faults.loss, 0.25);
  EXPECT_EQ(faults.delay_min, microseconds(5000));
  EXPECT_EQ(faults.delay_max, microseconds(20000));
  EXPECT_EQ(faults.duplicate, 0.5);
  EXPECT_EQ(faults.reorder, 1);
  EXPECT_EQ(faults.partition, (std::set<uint32_t>{1, 2}));
  EXPECT_EQ(faults.seed, 7u);
  EXPECT_EQ(Parsed(ToString(faults)), faults);
}

TEST(FaultsTest, KeepsWhatIsNotNamed) {
  const auto faults = ParseFaults("partition=", Parsed("loss=0.5 partition=1"), 3);
  ASSERT_TRUE(faults.ok());
  EXPECT_EQ(faults->loss, 0.5);
  EXPECT_TRUE(faults->partition.empty());
  EXPECT_FALSE(ParseFaults("off", *faults, 3)->any());
}

TEST(FaultsTest, SaysWhatIsWrong) {
  for (const char* bad :
       {"loss=1.1", "loss=-1", "loss=nan", "loss=", "delay=5", "delay=9ms..1ms", "delay=61s",
        "partition=3", "partition=x", "seed=-1", "speed=1", "loss"}) {
    const auto faults = ParseFaults(bad, {}, 3);
    ASSERT_FALSE(faults.ok()) << bad;
    EXPECT_THAT(std::string(faults.status().message()), HasSubstr(bad));
  }
}

TEST(FaultsTest, DecisionsDependOnTheMessageOnly) {
  const Faults faults = Parsed("loss=0.3 delay=1ms..5ms duplicate=0.2 reorder=0.1 seed=3");
  for (uint64_t seq = 1; seq < 100; ++seq) {
    EXPECT_EQ(Decide(faults, NodeId(0), NodeId(1), seq), Decide(faults, NodeId(0), NodeId(1), seq));
  }
}

TEST(FaultsTest, HitsAsOftenAsAsked) {
  const Faults faults = Parsed("loss=0.3 delay=1ms..5ms duplicate=0.2 seed=3");
  int lost = 0;
  int twice = 0;
  for (uint64_t seq = 1; seq <= 10000; ++seq) {
    const Departures departures = Decide(faults, NodeId(0), NodeId(1), seq);
    lost += departures.empty() ? 1 : 0;
    twice += departures.size() == 2 ? 1 : 0;
    for (const microseconds delay : departures) {
      EXPECT_GE(delay, microseconds(1000));
      EXPECT_LE(delay, microseconds(5000));
    }
  }
  EXPECT_NEAR(lost, 3000, 200);
  EXPECT_NEAR(twice, 1400, 200);
}

TEST(FaultsTest, AnotherSeedLosesOtherMessages) {
  const Faults one = Parsed("loss=0.5 seed=1");
  const Faults two = Parsed("loss=0.5 seed=2");
  int different = 0;
  for (uint64_t seq = 1; seq <= 1000; ++seq) {
    different += Decide(one, NodeId(0), NodeId(1), seq).empty() !=
                         Decide(two, NodeId(0), NodeId(1), seq).empty()
                     ? 1
                     : 0;
  }
  EXPECT_GT(different, 300);
}

TEST(FaultsTest, PartitionsAreTotal) {
  const Faults faults = Parsed("partition=1");
  EXPECT_TRUE(faults.any());
  EXPECT_TRUE(Decide(faults, NodeId(0), NodeId(1), 1).empty());
  EXPECT_EQ(Decide(faults, NodeId(0), NodeId(2), 1), Departures{microseconds(0)});
}

TEST(FaultsTest, ReorderedMessagesComeLater) {
  const Faults faults = Parsed("reorder=1 delay=1ms");
  EXPECT_EQ(Decide(faults, NodeId(0), NodeId(1), 1), Departures{microseconds(2000)});
}

}  // namespace
}  // namespace foretell::integration::sdk
