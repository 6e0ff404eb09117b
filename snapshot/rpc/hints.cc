#include "foretell/snapshot/rpc/hints.h"

#include <utility>

namespace foretell::snapshot {

// What the endpoint's callback holds, possibly for longer than we live.
struct HintHub::Route {
  std::shared_ptr<Mailbox> mailbox;
  HintHub* hub = nullptr;  // For the loop's thread only; null when the hub is gone.
  std::atomic<bool> posted = false;

  static void Send(const std::shared_ptr<Route>& route) {
    if (route->posted.exchange(true)) return;
    const bool accepted = route->mailbox->Post([route] {
      route->posted = false;
      if (route->hub != nullptr) route->hub->TellAll();
    });
    if (!accepted) route->posted = false;
  }
};

HintHub::HintHub(std::shared_ptr<Mailbox> mailbox, NodeEndpoint& endpoint)
    : endpoint_(endpoint), route_(std::make_shared<Route>()), tasks_(*this) {
  route_->mailbox = std::move(mailbox);
  route_->hub = this;
}

HintHub::~HintHub() noexcept(false) {
  route_->hub = nullptr;
  if (!ears_.empty()) endpoint_.OnInteresting({});
}

void HintHub::Add(const void* who, wire::Listener::Client listener) {
  const bool first = ears_.empty();
  const auto [ear, fresh] = ears_.try_emplace(who, Ear{listener});
  // One that is being told stays so: however often it is replaced, one call is under way.
  if (!fresh) ear->second.listener = kj::mv(listener);
  if (first) endpoint_.OnInteresting([route = route_] { Route::Send(route); });
}

void HintHub::Remove(const void* who) {
  if (ears_.erase(who) == 0) return;
  if (ears_.empty()) endpoint_.OnInteresting({});
}

void HintHub::TellAll() {
  for (auto& [who, ear] : ears_) {
    ear.again = ear.telling;
    if (!ear.telling) Tell(who);
  }
}

void HintHub::Tell(const void* who) {
  Ear& ear = ears_.at(who);
  ear.telling = true;
  ear.again = false;
  tasks_.add(ear.listener.interestingRequest().send().ignoreResult().then(
      [this, who] { Told(who, true); }, [this, who](kj::Exception&&) { Told(who, false); }));
}

void HintHub::Told(const void* who, bool heard) {
  const auto ear = ears_.find(who);
  if (ear == ears_.end()) return;
  ear->second.telling = false;
  // One that fails is not asked again before the next hint; if its connection is lost, it goes.
  if (heard && ear->second.again) Tell(who);
}

void HintHub::taskFailed(kj::Exception&&) {}

}  // namespace foretell::snapshot
