#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/node/interest_watch.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/node/endpoint.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::integration::sdk {

// Carries what agents ask from their thread to the node's loop. The number of requests that wait is
// limited; beyond it they are refused at once, so that no agent can fill a node's memory.
class LoopEndpoint final : public snapshot::NodeEndpoint {
 public:
  static constexpr int kWaitingMax = 256;

  struct Hooks {
    // Runs something on the loop, later; thread-safe. What was handed over when the loop has ended
    // is dropped.
    std::function<void(std::function<void()>)> post;
    // On the loop: runs something after what happened so far is durable.
    std::function<void(std::function<void()>)> after_commit;
    std::function<void()> filters_changed;  // On the loop.
    std::function<void()> wake;             // On the loop: something may have happened.
  };
  // All outlive it.
  LoopEndpoint(snapshot::NodeInfo info, Core& core, InterestWatch& watch, Hooks hooks);

  snapshot::NodeInfo Info() const override;
  void RequestCheckpoint(uint64_t number, CheckpointDone done) override;
  void Introduce(uint64_t session, snapshot::AgentIdentity agent,
                 std::function<void(absl::Status)> done) override;
  void SetFilters(uint64_t session, std::vector<snapshot::Filter> filters,
                  std::function<void(absl::Status)> done) override;
  void SetSafetyCut(uint64_t session, snapshot::SafetyCut cut,
                    std::function<void(absl::Status)> done) override;
  void Adopt(uint64_t session, std::string life, AdoptDone done) override;
  void Counters(std::function<void(snapshot::NodeCounters)> done) override;
  void OnInteresting(std::function<void()> changed) override;
  void Guard(uint64_t session, snapshot::GuardTerms terms, snapshot::GuardChannel channel,
             GuardDone done) override;
  void AnswerGuard(uint64_t session, snapshot::GuardAnswer answer) override;
  void EndSession(uint64_t session) override;

  // On the loop: what Info says from now on.
  void SetNumber(uint64_t number) { number_.store(number, std::memory_order_relaxed); }
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  // False if too many wait.
  bool Post(std::function<void()> task);
  std::function<void()> TakeListener() ABSL_LOCKS_EXCLUDED(listener_mutex_);

  const snapshot::NodeInfo info_;
  Core& core_;
  InterestWatch& watch_;
  const Hooks hooks_;
  std::atomic<uint64_t> number_{0};
  std::atomic<int> waiting_{0};
  std::atomic<uint64_t> refused_{0};
  model::Mutex listener_mutex_;
  // On its way to the loop.
  std::optional<std::function<void()>> listener_ ABSL_GUARDED_BY(listener_mutex_);
};

}  // namespace foretell::integration::sdk
