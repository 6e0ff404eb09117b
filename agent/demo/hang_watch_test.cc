#include "foretell/agent/demo/hang_watch.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;

std::unique_ptr<ChildProcess> Started(const std::string& script) {
  auto child = ChildProcess::Start({"/bin/sh", "-c", script}, "/dev/null");
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

TEST(HangWatchTest, AProcessThatDoesNothingHangs) {
  const auto child = Started("echo here; read nothing < /dev/zero");
  child->Signal(SIGSTOP);
  HangWatch watch(*child, {.time = 0ms, .work = 1'000ms});
  EXPECT_TRUE(watch.Hangs());
}

TEST(HangWatchTest, AProcessThatWorksDoesNot) {
  const auto child = Started("while :; do :; done");
  HangWatch watch(*child, {.time = 0ms, .work = 20ms});
  const auto before = child->ProcessorTime();
  while (child->ProcessorTime() - before < 50ms) {
  }
  EXPECT_FALSE(watch.Hangs());
}

TEST(HangWatchTest, NobodyHangsBeforeTheTimeIsUp) {
  const auto child = Started("read nothing < /dev/zero");
  child->Signal(SIGSTOP);
  HangWatch watch(*child);
  EXPECT_FALSE(watch.Hangs());
}

TEST(HangWatchTest, WhoHasEndedUsesNoProcessor) {
  const auto child = Started("exit 0");
  ASSERT_TRUE(child->Wait(std::chrono::minutes(5)).ok());
  EXPECT_EQ(child->ProcessorTime(), 0ms);
}

}  // namespace
}  // namespace foretell::agent
