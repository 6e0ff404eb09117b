#include "foretell/integration/sdk/node/loop_endpoint.h"

#include <gtest/gtest.h>

#include <vector>

#include "foretell/integration/sdk/testing/relay.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using testing::MakeRelay;

// A loop that runs when the test wants it to.
class LoopEndpointTest : public ::testing::Test {
 protected:
  void RunLoop() {
    for (const auto& task : std::exchange(posted_, {})) task();
  }

  const std::unique_ptr<model::Service> service_ = MakeRelay({});
  Stats stats_;
  Core core_{*service_,
             service_->InitialState(NodeId(0)),
             {.node = NodeId(0), .now = [] { return Time{}; }, .reset_stream = [](NodeId) {}},
             stats_};
  InterestWatch watch_{*service_};
  std::vector<std::function<void()>> posted_;
  LoopEndpoint endpoint_{snapshot::NodeInfo{},
                         core_,
                         watch_,
                         {.post = [this](auto task) { posted_.push_back(std::move(task)); },
                          .after_commit = [](const auto& task) { task(); },
                          .filters_changed = [] {}}};
};

TEST_F(LoopEndpointTest, RefusesWhatDoesNotFit) {
  int refused = 0;
  for (int i = 0; i < LoopEndpoint::kWaitingMax + 1; ++i) {
    endpoint_.SetFilters(1, {},
                         [&](const absl::Status& status) { refused += status.ok() ? 0 : 1; });
  }
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(endpoint_.refused(), 1u);
  RunLoop();
  endpoint_.SetFilters(1, {}, [&](const absl::Status& status) { refused += status.ok() ? 0 : 1; });
  RunLoop();
  EXPECT_EQ(refused, 1);
}

// Whoever listens does so once; nobody would notice that it was refused.
TEST_F(LoopEndpointTest, ListenersAreTakenHoweverMuchIsWaiting) {
  for (int i = 0; i < LoopEndpoint::kWaitingMax; ++i) endpoint_.Counters([](const auto&) {});
  const size_t before = posted_.size();
  endpoint_.OnInteresting({});
  endpoint_.OnInteresting([] {});
  endpoint_.OnInteresting([] {});
  EXPECT_EQ(posted_.size(), before + 1) << "only the latest counts";
  EXPECT_FALSE(watch_.Next(1));
  RunLoop();
  EXPECT_TRUE(watch_.Next(1));
  endpoint_.OnInteresting({});
  RunLoop();
  EXPECT_FALSE(watch_.Next(1));
}

}  // namespace
}  // namespace foretell::integration::sdk
