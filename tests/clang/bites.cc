// What the analysis must refuse, and beside it what it must not. Never built: tests/clang/check
// compares what Clang says with the expectations below.

#include "foretell/model/sync/mutex.h"

namespace foretell::model {

class Account {
 public:
  int Balance() const {
    const MutexLock lock(mutex_);
    return balance_;
  }
  int BalanceUnlocked() const {
    return balance_;  // expected-warning {{reading variable 'balance_' requires holding mutex}}
  }

  void Deposit(int amount) {
    MutexLock lock(mutex_);
    Add(amount);
    lock.Unlock();
    Tell();
    lock.Lock();
    changed_.NotifyAll();
  }
  void DepositUnlocked(int amount) {
    Add(amount);  // expected-warning {{calling function 'Add' requires holding mutex}}
  }
  void DepositAfterUnlock(int amount) {
    MutexLock lock(mutex_);
    lock.Unlock();
    balance_ += amount;  // expected-warning {{writing variable 'balance_' requires holding mutex}}
  }
  void TellLocked() {
    const MutexLock lock(mutex_);
    Tell();  // expected-warning {{cannot call function 'Tell' while mutex 'mutex_' is held}}
  }

  void AwaitSolvency() {
    const MutexLock lock(mutex_);
    while (balance_ < 0) changed_.Wait(mutex_);
  }
  void AwaitUnlocked() {
    changed_.Wait(mutex_);  // expected-warning {{calling function 'Wait' requires holding mutex}}
  }

  void LockTwice() {
    const MutexLock lock(mutex_);  // expected-note {{mutex acquired here}}
    const MutexLock again(mutex_);
    // expected-warning@-1 {{acquiring mutex 'mutex_' that is already held}}
  }

 private:
  void Add(int amount) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { balance_ += amount; }
  void Tell() const ABSL_LOCKS_EXCLUDED(mutex_) {}

  mutable Mutex mutex_;
  ConditionVariable changed_;
  int balance_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace foretell::model
