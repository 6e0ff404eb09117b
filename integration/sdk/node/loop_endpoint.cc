#include "foretell/integration/sdk/node/loop_endpoint.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {
namespace {

absl::Status Overloaded() {
  return absl::ResourceExhaustedError(
      absl::StrCat(LoopEndpoint::kWaitingMax, " requests are waiting for this node already"));
}

}  // namespace

LoopEndpoint::LoopEndpoint(snapshot::NodeInfo info, Core& core, InterestWatch& watch, Hooks hooks)
    : info_(std::move(info)),
      core_(core),
      watch_(watch),
      hooks_(std::move(hooks)),
      number_(core.number()) {}

bool LoopEndpoint::Post(std::function<void()> task) {
  if (waiting_.fetch_add(1) >= kWaitingMax) {
    waiting_.fetch_sub(1);
    refused_.fetch_add(1);
    return false;
  }
  hooks_.post([this, task = std::move(task)] {
    waiting_.fetch_sub(1);
    task();
  });
  return true;
}

snapshot::NodeInfo LoopEndpoint::Info() const {
  snapshot::NodeInfo info = info_;
  info.checkpoint = number_.load(std::memory_order_relaxed);
  return info;
}

void LoopEndpoint::RequestCheckpoint(uint64_t number, CheckpointDone done) {
  const bool taken = Post([this, number, done] {
    core_.Request(number, [this, done](const Core::Captured& checkpoint) {
      // A later life must not use the number again, so nobody hears of it before it is reserved.
      hooks_.after_commit([done, checkpoint] { done(checkpoint); });
      core_.AnnounceAgain();
    });
  });
  if (!taken) done(Overloaded());
}

void LoopEndpoint::Introduce(uint64_t session, snapshot::AgentIdentity agent,
                             std::function<void(absl::Status)> done) {
  const bool taken = Post([this, session, agent = std::move(agent), done]() mutable {
    core_.Introduce(session, std::move(agent));
    done(absl::OkStatus());
  });
  if (!taken) done(Overloaded());
}

void LoopEndpoint::SetFilters(uint64_t session, std::vector<snapshot::Filter> filters,
                              std::function<void(absl::Status)> done) {
  const bool taken = Post([this, session, filters = std::move(filters), done]() mutable {
    const absl::Status status = core_.SetFilters(session, std::move(filters));
    if (status.ok()) hooks_.filters_changed();
    done(status);
  });
  if (!taken) done(Overloaded());
}

void LoopEndpoint::SetSafetyCut(uint64_t session, snapshot::SafetyCut cut,
                                std::function<void(absl::Status)> done) {
  const bool taken =
      Post([this, session, cut = std::move(cut), done] { done(core_.SetSafetyCut(session, cut)); });
  if (!taken) done(Overloaded());
}

void LoopEndpoint::Adopt(uint64_t session, std::string life, AdoptDone done) {
  const bool taken =
      Post([this, session, life = std::move(life), done] { done(core_.Adopt(session, life)); });
  if (!taken) done(Overloaded());
}

void LoopEndpoint::Counters(std::function<void(snapshot::NodeCounters)> done) {
  // Zeroes would be a lie, so there is no answer at all if too many wait.
  Post([this, done] { done(core_.Counters()); });
}

// Never refused: nobody would ask again. What waits is only the latest.
void LoopEndpoint::OnInteresting(std::function<void()> changed) {
  {
    const model::MutexLock lock(listener_mutex_);
    const bool posted = listener_.has_value();
    listener_ = std::move(changed);
    if (posted) return;
  }
  hooks_.post([this] { watch_.Listen(TakeListener(), core_.live(), core_.version()); });
}

void LoopEndpoint::Guard(uint64_t session, snapshot::GuardTerms terms,
                         snapshot::GuardChannel channel, GuardDone done) {
  const bool taken =
      Post([this, session, terms = std::move(terms), channel = std::move(channel), done]() mutable {
        auto joined = core_.Guard(session, terms, std::move(channel));
        // A crash before that would leave something else than the agent is told.
        hooks_.after_commit([done, joined = std::move(joined)] { done(joined); });
      });
  if (!taken) done(Overloaded());
}

// Never refused, both: there are no more of them than the node has asked for itself.
void LoopEndpoint::AnswerGuard(uint64_t session, snapshot::GuardAnswer answer) {
  hooks_.post([this, session, answer = std::move(answer)] {
    core_.AnswerGuard(session, answer);
    hooks_.wake();
  });
}

void LoopEndpoint::EndSession(uint64_t session) {
  hooks_.post([this, session] {
    core_.EndSession(session);
    hooks_.wake();
  });
}

std::function<void()> LoopEndpoint::TakeListener() {
  const model::MutexLock lock(listener_mutex_);
  return *std::exchange(listener_, std::nullopt);
}

}  // namespace foretell::integration::sdk
