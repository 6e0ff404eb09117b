// Services that check well and run: over real sockets, by clocks that the test moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "foretell/integration/catalog.h"
#include "foretell/integration/sdk/testing/cluster.h"

namespace foretell::integration::sdk {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;
using testing::kHang;
using ::testing::StartsWith;

model::System Live(const std::string& service) {
  for (const auto& family : BuiltinServices()) {
    if (family->name() == service) return *family->Make(family->live_scenario(), "");
  }
  return {};
}

// A cluster whose time goes on by the steps of `Await` alone.
class SteppedCluster {
 public:
  explicit SteppedCluster(const model::Service& service)
      : nodes_(service.node_count()), cluster_(service) {
    cluster_.StartAll([](HostOptions& options) { options.stepped = true; });
  }
  Cluster& operator*() { return cluster_; }
  Cluster* operator->() { return &cluster_; }

  // Lets time pass until every node's state has all of `texts`. The limit only ends a hang.
  bool Await(const std::vector<std::string>& texts) {
    const auto end = std::chrono::steady_clock::now() + kHang;
    while (std::chrono::steady_clock::now() < end) {
      if (AllHave(texts)) return true;
      micros_ += 50'000;
      for (uint32_t n = 0; n < nodes_; ++n) cluster_.Ask(n, absl::StrCat("clock ", micros_));
      std::this_thread::yield();
    }
    for (uint32_t n = 0; n < nodes_; ++n) ADD_FAILURE() << cluster_.Ask(n, "state");
    return false;
  }

 private:
  bool AllHave(const std::vector<std::string>& texts) {
    for (uint32_t n = 0; n < nodes_; ++n) {
      const std::string state = cluster_.Ask(n, "state");
      for (const std::string& text : texts) {
        if (state.find(text) == std::string::npos) return false;
      }
    }
    return true;
  }

  const uint32_t nodes_;
  int64_t micros_ = 0;
  Cluster cluster_;
};

TEST(LiveServicesTest, TheTransportDeliversEverythingOverALossyNetwork) {
  const model::System system = Live("transport");
  SteppedCluster cluster(*system.service);
  for (uint32_t n = 0; n < 2; ++n) cluster->Ask(n, "faults loss=0.3 seed=7");
  for (int batch = 0; batch < 3; ++batch) {
    ASSERT_THAT(cluster->Ask(0, "call Submit"), StartsWith("ok Submit"));
    EXPECT_THAT(cluster->Ask(0, "call Submit"), StartsWith("error")) << "one batch at a time";
    ASSERT_TRUE(cluster.Await({"sender.inflight = {}", "sender.resend = {}", "sender.unsent = 0"}));
  }
  EXPECT_THAT(cluster->Ask(1, "state"), HasSubstr("receiver.in_order = yes"));
  EXPECT_THAT(cluster->Ask(0, "stats"), ::testing::Not(HasSubstr("\nlost 0\n")));
}

// Streams break at random for a while; then everybody has the smallest node for its root.
TEST(LiveServicesTest, TheTreeIsOneAfterBreaks) {
  const model::System system = Live("randtree");
  SteppedCluster cluster(*system.service);
  for (uint32_t n = 0; n < 4; ++n) cluster->Ask(n, "faults loss=0.2 seed=5");
  for (uint32_t n = 4; n-- > 0;) {
    ASSERT_THAT(cluster->Ask(n, "call JoinOverlay"), StartsWith("ok JoinOverlay"));
  }
  ASSERT_TRUE(cluster.Await({"phase = joined"}));
  for (uint32_t n = 0; n < 4; ++n) cluster->Ask(n, "faults off");
  EXPECT_TRUE(cluster.Await({"phase = joined", "\nroot = 0\n"}));
}

}  // namespace
}  // namespace foretell::integration::sdk
