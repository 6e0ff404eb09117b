#include "foretell/dir/explore/memory_meter.h"

#include <gtest/gtest.h>

#include "foretell/dir/testing/gossip.h"

namespace foretell::dir {
namespace {

TEST(MemoryMeterTest, MetersThatShareATotalAddTheirGrowth) {
  const model::System system = testing::MakeGossip({.nodes = 2});
  EventNumbers event_numbers;
  NumberedTable table(*system.service, event_numbers);
  MemoryMeter first;
  MemoryMeter second;
  second.Share(first.total());
  const uint64_t total = first.Update(table, 100);
  EXPECT_EQ(second.Update(table, 50), total + 50) << "the table has not grown since";
  EXPECT_EQ(first.Update(table, 30), total - 20);
  EXPECT_EQ(second.total_bytes(), total - 20);
  table.transitions.InternState(model::NodeId(0), system.start.nodes[0]);
  EXPECT_GT(second.Update(table, 50), total - 20);
}

}  // namespace
}  // namespace foretell::dir
