#include "foretell/snapshot/rpc/guard_courier.h"

#include <utility>

#include "foretell/snapshot/rpc/status.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {

GuardCourier::GuardCourier(std::shared_ptr<Mailbox> mailbox, NodeEndpoint& endpoint,
                           uint64_t session, wire::Guardian::Client guardian)
    : mailbox_(std::move(mailbox)),
      endpoint_(endpoint),
      session_(session),
      guardian_(kj::mv(guardian)),
      tasks_(kj::heap<kj::TaskSet>(static_cast<kj::TaskSet::ErrorHandler&>(*this))) {}

void GuardCourier::Close() {
  guardian_ = nullptr;
  tasks_ = nullptr;
}

GuardChannel GuardCourier::Channel() {
  // The channel may outlive the loop and is destroyed on any thread, so it must not own us: the
  // last to let go of kj's objects has to be the loop's thread.
  const auto post = [mailbox = mailbox_, self = weak_from_this()](auto task) {
    mailbox->Post([self, task = std::move(task)] {
      const auto courier = self.lock();
      if (courier != nullptr && courier->guardian_ != nullptr) task(*courier);
    });
  };
  return {.ask =
              [post](const GuardStep& step) {
                post([step](GuardCourier& courier) { courier.Ask(step); });
              },
          .settled =
              [post](const GuardSettled& settled) {
                post([settled](GuardCourier& courier) {
                  KJ_IF_MAYBE (guardian, courier.guardian_) {
                    auto request = guardian->settledRequest();
                    request.setAt(settled.at);
                    request.setDecided(settled.decided);
                    courier.tasks_->add(request.send().ignoreResult());
                  }
                });
              },
          .lapsed =
              [post](const std::string& why) {
                post([why](GuardCourier& courier) {
                  KJ_IF_MAYBE (guardian, courier.guardian_) {
                    auto request = guardian->lapsedRequest();
                    request.setWhy(why.c_str());
                    courier.tasks_->add(request.send().ignoreResult());
                  }
                });
              }};
}

void GuardCourier::Ask(const GuardStep& step) {
  KJ_IF_MAYBE (guardian, guardian_) {
    auto request = guardian->askRequest();
    Put(step, request.initStep());
    tasks_->add(request.send().then([this, number = step.number](auto&& response) {
      endpoint_.AnswerGuard(session_, {.step = number,
                                       .granted = response.getGranted(),
                                       .decision = response.getDecision().cStr(),
                                       .invariant = response.getInvariant().cStr()});
    }));
  }
}

// An agent that throws has not answered; the hold takes care of it.
void GuardCourier::taskFailed(kj::Exception&&) {}

}  // namespace foretell::snapshot
