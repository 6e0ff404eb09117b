#include "foretell/snapshot/protocol/sent_ring.h"

#include <gtest/gtest.h>

#include <deque>

namespace foretell::snapshot {
namespace {

std::vector<SentMessage> Plain(const std::deque<SentMessage>& queue) {
  return {queue.begin(), queue.end()};
}

TEST(SentRingTest, IsAQueue) {
  SentRing ring;
  std::deque<SentMessage> queue;
  size_t bytes = 0;
  // Grows, shrinks and goes round several times, with bodies of all sizes.
  for (uint64_t seq = 1; seq <= 3'000; ++seq) {
    const std::string body((seq * 37) % 2'500, static_cast<char>(seq));
    ring.Push(seq, body, seq / 10);
    queue.push_back({seq, body, seq / 10});
    bytes += body.size();
    const size_t kept = seq % 700 < 350 ? 5 : 130;
    while (queue.size() > kept) {
      ASSERT_EQ(ring.front(), queue.front());
      bytes -= queue.front().body.size();
      queue.pop_front();
      ring.PopFront();
    }
    ASSERT_EQ(ring.size(), queue.size());
    ASSERT_EQ(ring.bytes(), bytes);
    ASSERT_EQ(ring.Copy(), Plain(queue));
  }
  while (!ring.empty()) ring.PopFront();
  EXPECT_EQ(ring.bytes(), 0u);
  EXPECT_TRUE(ring.Copy().empty());
}

}  // namespace
}  // namespace foretell::snapshot
