#pragma once

// Only .cc files of this folder may include this: it brings in kj.

#include <kj/async-io.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {

// Hands work to the thread of an RpcLoop. Any thread may use it, also after the loop is gone.
class Mailbox {
 public:
  // `wake` is an eventfd and stays the caller's, who calls Close before it closes that.
  explicit Mailbox(int wake) : wake_(wake) {}

  // Never blocks. False if the loop is gone or the queue is full; `task` is then destroyed at once,
  // on this thread, so it must not own anything of kj's.
  bool Post(std::function<void()> task) { return Add(std::move(task), false); }
  // Also if the queue is full. For callers that wait for the task, and so cannot fill it.
  bool PostAlways(std::function<void()> task) { return Add(std::move(task), true); }
  // Tasks refused because the queue was full.
  uint64_t dropped() const;

  // For the loop.
  std::deque<std::function<void()>> TakeAll();
  void Close();

 private:
  bool Add(std::function<void()> task, bool always) ABSL_LOCKS_EXCLUDED(mutex_);

  mutable model::Mutex mutex_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t dropped_ ABSL_GUARDED_BY(mutex_) = 0;
  const int wake_;
};

// kj's event loop on a thread of its own, and the only way into it: kj's objects belong to one
// thread, so all others hand work over. A queue with a mutex and an eventfd instead of
// kj::Executor, because that one lets the caller wait until the loop has taken the work; the thread
// of a live node must not wait for ours.
// kj ignores SIGPIPE for the whole process as soon as there is a loop.
class RpcLoop final : private kj::TaskSet::ErrorHandler {
 public:
  static absl::StatusOr<std::unique_ptr<RpcLoop>> Start();
  // Drops all that still waits on the loop, then joins. What others made on the loop must be gone.
  ~RpcLoop();
  RpcLoop(const RpcLoop&) = delete;
  RpcLoop& operator=(const RpcLoop&) = delete;

  // Runs `task` on the loop's thread and waits for it, or for what it promises. What is thrown
  // becomes a Status. REQUIRES: not called on the loop's thread.
  absl::Status Run(const std::function<absl::Status()>& task);
  absl::Status Await(const std::function<kj::Promise<absl::Status>()>& task);

  const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  // REQUIRES: on the loop's thread.
  kj::Network& network() { return io_->provider->getNetwork(); }
  kj::LowLevelAsyncIoProvider& low_level() { return *io_->lowLevelProvider; }
  kj::Timer& timer() { return io_->provider->getTimer(); }
  // The time of the timer.
  std::chrono::nanoseconds Now();

 private:
  explicit RpcLoop(int wake) : wake_(wake), mailbox_(std::make_shared<Mailbox>(wake)) {}
  void Main(std::promise<absl::Status>& started);
  kj::Promise<void> Pump(kj::AsyncInputStream& wake);
  // Of a task of our own; whoever waits for it was told.
  void taskFailed(kj::Exception&& exception) override;

  const int wake_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::thread thread_;
  // Set while Main runs, for its thread.
  kj::AsyncIoContext* io_ = nullptr;
  kj::TaskSet* tasks_ = nullptr;
  kj::PromiseFulfiller<void>* stop_ = nullptr;
  uint64_t wake_count_ = 0;
};

// A promise on the loop's thread that any thread may keep by calling `answer`. The first call
// counts. If all copies of `answer` are destroyed without a call, the promise is broken. The
// promise may be dropped at any time; `answer` then does nothing. An answer that the mailbox
// refuses is lost, so whoever waits has a deadline.
template <class T>
struct Handover {
  kj::Promise<T> promise;
  std::function<void(T)> answer;
};

// REQUIRES: on the loop's thread.
template <class T>
Handover<T> MakeHandover(std::shared_ptr<Mailbox> mailbox) {
  // Only the loop's thread looks into the cell; others merely carry it around.
  struct Cell {
    kj::PromiseFulfiller<T>* waiting = nullptr;
  };
  class Ticket {
   public:
    Ticket(std::shared_ptr<Mailbox> to, std::shared_ptr<Cell> cell)
        : mailbox_(std::move(to)), cell_(std::move(cell)) {}
    ~Ticket() {
      if (answered_) return;
      mailbox_->Post([cell = cell_] {
        if (cell->waiting == nullptr) return;
        cell->waiting->reject(LostConnection("the answer was dropped"));
      });
    }
    void Answer(T value) {
      if (answered_.exchange(true)) return;
      mailbox_->Post([cell = cell_, kept = std::make_shared<T>(std::move(value))] {
        if (cell->waiting != nullptr) cell->waiting->fulfill(std::move(*kept));
      });
    }

   private:
    const std::shared_ptr<Mailbox> mailbox_;
    const std::shared_ptr<Cell> cell_;
    std::atomic<bool> answered_ = false;
  };

  auto paf = kj::newPromiseAndFulfiller<T>();
  auto cell = std::make_shared<Cell>();
  cell->waiting = paf.fulfiller.get();
  auto ticket = std::make_shared<Ticket>(std::move(mailbox), cell);
  auto forget = kj::defer([cell, fulfiller = kj::mv(paf.fulfiller)] { cell->waiting = nullptr; });
  return {paf.promise.attach(kj::mv(forget)),
          [ticket](T value) { ticket->Answer(std::move(value)); }};
}

}  // namespace foretell::snapshot
