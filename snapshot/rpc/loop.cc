#include "foretell/snapshot/rpc/loop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {
namespace {

// Callers have at most a few tasks under way each; this is only reached if the loop hangs.
constexpr size_t kTasksMax = 1 << 16;
// In a row, before timers, other connections and the mailbox get their turn.
constexpr kj::uint kEventsMax = 64;

}  // namespace

bool Mailbox::Add(std::function<void()> task, bool always) {
  const model::MutexLock lock(mutex_);
  if (closed_) return false;
  if (tasks_.size() >= kTasksMax && !always) {
    ++dropped_;
    return false;
  }
  tasks_.push_back(std::move(task));
  const uint64_t one = 1;
  // The counter of an eventfd cannot overflow by this; a full one would wake the loop anyway.
  if (tasks_.size() == 1) static_cast<void>(!write(wake_, &one, sizeof(one)));
  return true;
}

uint64_t Mailbox::dropped() const {
  const model::MutexLock lock(mutex_);
  return dropped_;
}

std::deque<std::function<void()>> Mailbox::TakeAll() {
  const model::MutexLock lock(mutex_);
  return std::exchange(tasks_, {});
}

void Mailbox::Close() {
  std::deque<std::function<void()>> rest;  // Destroyed without the lock: it may post again.
  const model::MutexLock lock(mutex_);
  closed_ = true;
  rest.swap(tasks_);
}

absl::StatusOr<std::unique_ptr<RpcLoop>> RpcLoop::Start() {
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return absl::ResourceExhaustedError(absl::StrCat("eventfd: ", strerror(errno)));
  std::unique_ptr<RpcLoop> loop(new RpcLoop(wake));
  std::promise<absl::Status> started;
  std::future<absl::Status> status = started.get_future();
  try {
    loop->thread_ = std::thread([raw = loop.get(), &started] { raw->Main(started); });
  } catch (const std::system_error& e) {
    return absl::ResourceExhaustedError(absl::StrCat("thread of an RPC loop: ", e.what()));
  }
  const absl::Status result = status.get();
  if (!result.ok()) return result;
  return loop;
}

RpcLoop::~RpcLoop() {
  mailbox_->PostAlways([this] { stop_->fulfill(); });
  if (thread_.joinable()) thread_.join();
  mailbox_->Close();
  close(wake_);
}

void RpcLoop::Main(std::promise<absl::Status>& started) {
  const auto failed = kj::runCatchingExceptions([&] {
    kj::AsyncIoContext io = kj::setupAsyncIo();
    auto wake =
        io.lowLevelProvider->wrapInputFd(wake_, kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                                                    kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK);
    kj::TaskSet tasks(*this);
    auto stop = kj::newPromiseAndFulfiller<void>();
    // Otherwise a peer that never stops sending would keep all others waiting: kj looks for other
    // input only when it has nothing left to do.
    io.waitScope.setBusyPollInterval(kEventsMax);
    io_ = &io;
    tasks_ = &tasks;
    stop_ = stop.fulfiller.get();
    tasks.add(Pump(*wake));
    started.set_value(absl::OkStatus());
    stop.promise.wait(io.waitScope);
    mailbox_->Close();
  });
  KJ_IF_MAYBE (exception, failed) {
    // After the start nothing above throws.
    FORETELL_CHECK(stop_ == nullptr);
    started.set_value(Annotate(ToStatus(*exception), "event loop"));
  }
}

std::chrono::nanoseconds RpcLoop::Now() {
  return std::chrono::nanoseconds((timer().now() - kj::origin<kj::TimePoint>()) / kj::NANOSECONDS);
}

kj::Promise<void> RpcLoop::Pump(kj::AsyncInputStream& wake) {
  // Reading an eventfd takes all wake-ups at once.
  return wake.read(&wake_count_, sizeof(wake_count_)).then([this, &wake] {
    for (std::function<void()>& task : mailbox_->TakeAll()) {
      KJ_IF_MAYBE (exception, kj::runCatchingExceptions([&task] { task(); })) {
        taskFailed(kj::mv(*exception));
      }
      task = nullptr;  // What it held goes before the next one runs.
    }
    return Pump(wake);
  });
}

void RpcLoop::taskFailed(kj::Exception&&) {}

absl::Status RpcLoop::Run(const std::function<absl::Status()>& task) {
  return Await([&task] { return kj::Promise<absl::Status>(task()); });
}

absl::Status RpcLoop::Await(const std::function<kj::Promise<absl::Status>()>& task) {
  std::promise<absl::Status> done;
  std::future<absl::Status> status = done.get_future();
  const bool posted = mailbox_->PostAlways([this, &task, &done] {
    tasks_->add(kj::evalNow([&task] { return task(); })
                    .then([&done](absl::Status result) { done.set_value(std::move(result)); },
                          [&done](kj::Exception&& e) { done.set_value(ToStatus(e)); }));
  });
  FORETELL_CHECK(posted);  // The loop ends in our destructor only.
  return status.get();
}

}  // namespace foretell::snapshot
