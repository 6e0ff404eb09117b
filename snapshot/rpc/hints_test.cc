#include "foretell/snapshot/rpc/hints.h"

#include <gtest/gtest.h>

#include <optional>

#include "foretell/snapshot/testing/fake_endpoint.h"

namespace foretell::snapshot {
namespace {

// Answers when the test wants it to.
class SlowListener final : public wire::Listener::Server {
 public:
  explicit SlowListener(kj::Vector<kj::Own<kj::PromiseFulfiller<void>>>& calls) : calls_(calls) {}
  kj::Promise<void> interesting(InterestingContext) override {
    auto answer = kj::newPromiseAndFulfiller<void>();
    calls_.add(kj::mv(answer.fulfiller));
    return kj::mv(answer.promise);
  }

 private:
  kj::Vector<kj::Own<kj::PromiseFulfiller<void>>>& calls_;
};

class HintHubTest : public testing::Test {
 protected:
  using Calls = kj::Vector<kj::Own<kj::PromiseFulfiller<void>>>;

  HintHubTest() {
    OnLoop([this] {
      calls_.emplace();
      hub_.emplace(loop_->mailbox(), endpoint_);
    });
  }
  ~HintHubTest() noexcept override {
    OnLoop([this] {
      hub_.reset();
      calls_.reset();
    });
  }
  // Returns when all that follows from it has happened, too.
  void OnLoop(const std::function<void()>& task) {
    EXPECT_TRUE(loop_
                    ->Await([&] {
                      task();
                      return kj::evalLast([] { return absl::OkStatus(); });
                    })
                    .ok());
  }
  void Listen() {
    OnLoop([this] { hub_->Add(this, kj::heap<SlowListener>(*calls_)); });
  }
  // Gives a hint; returns how many were told to listeners so far.
  size_t Hint() {
    endpoint_.Hint();
    size_t told = 0;
    OnLoop([] {});
    OnLoop([&] { told = calls_->size(); });
    return told;
  }

  FakeEndpoint endpoint_{0};
  const std::unique_ptr<RpcLoop> loop_ = *RpcLoop::Start();
  // Of the loop's thread.
  std::optional<Calls> calls_;
  std::optional<HintHub> hub_;
};

TEST_F(HintHubTest, MergesHintsWhileOneIsUnderWay) {
  Listen();
  EXPECT_EQ(Hint(), 1u);
  EXPECT_EQ(Hint(), 1u);
  EXPECT_EQ(Hint(), 1u);
  OnLoop([this] { (*calls_)[0]->fulfill(); });
  OnLoop([this] { EXPECT_EQ(calls_->size(), 2u) << "there were hints since"; });
}

TEST_F(HintHubTest, OneCallIsUnderWayHoweverOftenAListenerIsReplaced) {
  Listen();
  EXPECT_EQ(Hint(), 1u);
  for (int i = 0; i < 10; ++i) {
    Listen();
    EXPECT_EQ(Hint(), 1u);
  }
  OnLoop([this] { (*calls_)[0]->fulfill(); });
  OnLoop([this] { EXPECT_EQ(calls_->size(), 2u) << "the last one is told"; });
}

}  // namespace
}  // namespace foretell::snapshot
