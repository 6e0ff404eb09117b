#include "foretell/model/liveness/event_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace foretell::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(EventCountsTest, NodesAddUp) {
  EventCounts counts;
  ASSERT_TRUE(ReadEventCounts("deliver Ack 10\ntimer Retransmit 2\n.\n", counts).ok());
  ASSERT_TRUE(ReadEventCounts("deliver Ack 5\n\ncall Submit 1\n.", counts).ok());
  EXPECT_THAT(counts, ElementsAre(Pair("call Submit", 1), Pair("deliver Ack", 15),
                                  Pair("timer Retransmit", 2)));
}

TEST(EventCountsTest, TheSlowestTimerIsOne) {
  EXPECT_THAT(MeasuredWeights({{"deliver Ack", 1'000},
                               {"deliver Syn", 31},
                               {"call Submit", 1},
                               {"timer Retransmit", 3},
                               {"timer Probe", 12},
                               {"timer Never", 0}}),
              ElementsAre(Pair("call Submit", 1), Pair("deliver Ack", 64), Pair("deliver Syn", 10),
                          Pair("timer Probe", 4), Pair("timer Retransmit", 1)));
}

TEST(EventCountsTest, WithoutTimersTheSlowestEventIsOne) {
  EXPECT_THAT(MeasuredWeights({{"deliver", 20}, {"call", 5}}),
              ElementsAre(Pair("call", 1), Pair("deliver", 4)));
  EXPECT_TRUE(MeasuredWeights({}).empty());
}

TEST(EventCountsTest, WhatIsNoCountIsNamed) {
  EventCounts counts;
  for (const char* text : {"deliver Ack", "deliver Ack -1", "crash 3", "12", "deliver Ack 1.5"}) {
    const absl::Status status = ReadEventCounts(absl::StrCat("call 1\n", text), counts);
    EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("line 2: '", text, "'")));
  }
}

TEST(EventCountsTest, SumsStayInRange) {
  EventCounts counts;
  ASSERT_TRUE(ReadEventCounts("call 18446744073709551615\ncall 7\n", counts).ok());
  EXPECT_EQ(counts["call"], UINT64_MAX);
}

}  // namespace
}  // namespace foretell::model
