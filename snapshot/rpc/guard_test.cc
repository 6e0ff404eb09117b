// Nodes that tell their agent of guarded steps while the agent leaves, over real sockets.

#include <atomic>
#include <future>

#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/rpc/server.h"
#include "foretell/snapshot/testing/fake_endpoint.h"
#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

// Has more to say, as soon as it is guarded, than is read before the agent goes.
class TalkativeEndpoint : public FakeEndpoint {
 public:
  using FakeEndpoint::FakeEndpoint;
  void Guard(uint64_t, GuardTerms, GuardChannel channel, GuardDone done) override {
    GuardJoined joined;
    joined.views.emplace_back();
    done(joined);
    for (uint64_t step = 1; step <= kSteps; ++step) {
      GuardStep asked;
      asked.number = step;
      asked.views.emplace_back();
      channel.ask(asked);
      channel.settled({step, step});
    }
  }

 private:
  static constexpr uint64_t kSteps = 500;
};

// Counts what it is told, and says when the first of it came.
class CountingGuardian : public NodeGuardian {
 public:
  void Joining(model::NodeId) override {}
  void Joined(model::NodeId, const GuardJoined&) override {}
  void Lost(model::NodeId, const std::string&) override {}
  void Ask(model::NodeId, const GuardStep& step, std::function<void(GuardAnswer)> answer) override {
    Heard();
    GuardAnswer yes;
    yes.step = step.number;
    answer(yes);
  }
  void Settled(model::NodeId, const GuardSettled&) override { Heard(); }
  void Overdue(model::NodeId, uint64_t) override {}

  void AwaitFirst() { first_.get_future().wait(); }
  size_t heard() const { return heard_; }

 private:
  void Heard() {
    if (heard_++ == 0) first_.set_value();
  }

  std::atomic<size_t> heard_ = 0;
  std::promise<void> first_;
};

// Each time the client ends with calls that it has read and not dispatched: these reached a peer
// that was gone.
TEST(GuardTest, AnAgentLeavesInTheMiddleOfWhatNodesTellIt) {
  constexpr int kTimes = 50;
  const TempFolder folder;
  TalkativeEndpoint endpoint(0, 1);
  const std::unique_ptr<RpcServer> server = StartServer(folder.Socket(0), endpoint, {});
  for (int time = 0; time < kTimes; ++time) {
    CountingGuardian guardian;
    RpcClient::Options options;
    options.nodes.push_back({model::NodeId(0), server->address()});
    options.guardian = &guardian;
    std::unique_ptr<RpcClient> client = StartClient(std::move(options));
    GuardTerms terms;
    terms.invariants = {"agreement"};
    client->SetGuard(terms);
    guardian.AwaitFirst();
    client.reset();
    EXPECT_GT(guardian.heard(), 0u);
  }
}

}  // namespace
}  // namespace foretell::snapshot
