#include "foretell/snapshot/rpc/loop.h"

#include <kj/debug.h>

#include <thread>

#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

std::unique_ptr<RpcLoop> Loop() {
  auto loop = RpcLoop::Start();
  EXPECT_TRUE(loop.ok()) << loop.status();
  return std::move(*loop);
}

TEST(RpcLoopTest, RunsOnItsOwnThreadAndReturnsTheStatus) {
  const auto loop = Loop();
  std::thread::id there;
  EXPECT_EQ(loop->Run([&] {
    there = std::this_thread::get_id();
    return absl::NotFoundError("nothing");
  }),
            absl::NotFoundError("nothing"));
  EXPECT_NE(there, std::this_thread::get_id());
}

TEST(RpcLoopTest, WhatIsThrownBecomesAStatus) {
  const auto loop = Loop();
  const absl::Status status = loop->Run([]() -> absl::Status { KJ_FAIL_REQUIRE("as told", 17); });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_NE(status.ToString().find("as told"), std::string::npos) << status;
  EXPECT_EQ(loop->Run([] { return absl::OkStatus(); }), absl::OkStatus());
}

TEST(RpcLoopTest, TasksKeepTheirOrder) {
  const auto loop = Loop();
  std::vector<int> seen;
  for (int i = 0; i < 1000; ++i) loop->mailbox()->Post([&seen, i] { seen.push_back(i); });
  ASSERT_TRUE(loop->Run([] { return absl::OkStatus(); }).ok());
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST(RpcLoopTest, APostAfterTheEndIsRefused) {
  auto loop = Loop();
  const std::shared_ptr<Mailbox> mailbox = loop->mailbox();
  loop.reset();
  EXPECT_FALSE(mailbox->Post([] { FAIL(); }));
  EXPECT_EQ(mailbox->dropped(), 0u);
}

TEST(RpcLoopTest, AFullQueueRefusesAndCounts) {
  const auto loop = Loop();
  std::promise<void> go;
  loop->mailbox()->Post([&go] { go.get_future().wait(); });
  size_t posted = 0;
  while (loop->mailbox()->Post([] {})) ASSERT_LT(++posted, 1u << 20);
  EXPECT_EQ(loop->mailbox()->dropped(), 1u);
  go.set_value();
  // Who waits is not refused.
  EXPECT_EQ(loop->Run([] { return absl::OkStatus(); }), absl::OkStatus());
}

TEST(RpcLoopTest, AnAnswerComesFromAnotherThread) {
  const auto loop = Loop();
  std::thread other;
  const absl::Status status = loop->Await([&] {
    auto handover = MakeHandover<std::string>(loop->mailbox());
    other = std::thread([answer = handover.answer] {
      answer("first");
      answer("second");
    });
    return handover.promise.then([](std::string text) { return absl::NotFoundError(text); });
  });
  other.join();
  EXPECT_EQ(status, absl::NotFoundError("first"));
}

TEST(RpcLoopTest, ADroppedAnswerBreaksThePromise) {
  const auto loop = Loop();
  const absl::Status status = loop->Await([&] {
    return MakeHandover<int>(loop->mailbox()).promise.then([](int) { return absl::OkStatus(); });
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST(RpcLoopTest, AnAnswerMayOutliveItsPromiseAndTheLoop) {
  std::function<void(int)> early;
  std::function<void(int)> late;
  {
    const auto loop = Loop();
    ASSERT_TRUE(loop->Run([&] {
                      early = MakeHandover<int>(loop->mailbox()).answer;
                      late = early;
                      return absl::OkStatus();
                    })
                    .ok());
    early(1);
    ASSERT_TRUE(loop->Run([] { return absl::OkStatus(); }).ok());
  }
  late(2);
}

}  // namespace
}  // namespace foretell::snapshot
