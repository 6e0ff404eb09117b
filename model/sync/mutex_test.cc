#include "foretell/model/sync/mutex.h"

#include <gtest/gtest.h>

#include <thread>

namespace foretell::model {
namespace {

TEST(MutexTest, IsFreeBetweenUnlockAndLock) {
  Mutex mutex;
  int turns = 0;
  MutexLock lock(mutex);
  lock.Unlock();
  // Would never end if the mutex were held.
  std::thread([&] {
    const MutexLock other(mutex);
    ++turns;
  }).join();
  lock.Lock();
  EXPECT_EQ(turns, 1);
}

TEST(ConditionVariableTest, WaitLetsOthersIn) {
  Mutex mutex;
  ConditionVariable changed;
  int turn = 0;
  std::thread other([&] {
    const MutexLock lock(mutex);
    while (turn != 1) changed.Wait(mutex);
    turn = 2;
    changed.NotifyOne();
  });
  {
    const MutexLock lock(mutex);
    turn = 1;
    changed.NotifyAll();
    while (turn != 2) changed.Wait(mutex);
  }
  other.join();
  EXPECT_EQ(turn, 2);
}

TEST(ConditionVariableTest, SaysThatTimeIsUp) {
  Mutex mutex;
  ConditionVariable changed;
  const MutexLock lock(mutex);
  EXPECT_FALSE(changed.WaitUntil(mutex, ConditionVariable::Time()));
  EXPECT_FALSE(changed.WaitFor(mutex, std::chrono::nanoseconds(0)));
}

}  // namespace
}  // namespace foretell::model
