#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/coverage/coverage.h"
#include "foretell/predictors/coverage/growth.h"
#include "foretell/predictors/coverage/stable_probe.h"

namespace foretell::predictors {

// Another service whose handlers are watched: what runs, what it sends, what grows, and whether
// invariants are as stable as they say. It answers like the service in everything but the claims
// in `distrusted`, which it takes back. Engines run a handler once per distinct state and event, so
// that a little may be done at each run. For several threads.
class CoverageService final : public model::ForwardingService {
 public:
  // REQUIRES: `start` is a valid cut of `inner`, which outlives this.
  CoverageService(const model::Service& inner, const model::SystemCut& start,
                  const std::set<std::string>& distrusted = {});

  std::span<const model::InvariantInfo> invariants() const override { return infos_; }
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override;
  Key Project(size_t invariant, NodeId node, const std::string& state) const override;

  // What was seen so far; nobody knows yet whether that is all.
  Coverage Collect() const;

 private:
  struct Row {
    model::EventKind kind = model::EventKind::kAction;
    std::string name;
    bool expected = false;
    bool handled = true;
    std::atomic<uint64_t> runs = 0;
    std::atomic<uint64_t> sent = 0;
  };
  struct Flag {
    std::atomic<bool> set = false;
  };

  void AddRows(model::EventKind kind, const std::vector<std::string>& names, const char* any);
  void AddFaults(const model::SystemCut& start);
  void AddBarred(const std::set<model::EventKind>& possible,
                 const std::vector<model::EventKind>& handled);
  void SeeStart(const model::SystemCut& start);
  Row* RowOf(const Event& event) const;
  Row* RowOfMessage(const std::string& body) const;
  void Watch(NodeId node, const std::string& before, const Event& event,
             const model::HandlerResult& result) const;
  void SeeGoals(NodeId node, const std::string& state) const;
  void SeePiling(NodeId node, const Event& event) const;

  std::vector<model::InvariantInfo> infos_;
  const size_t message_kinds_;
  const size_t action_kinds_;
  std::vector<std::unique_ptr<Row>> rows_;  // Messages, actions, other kinds of events.
  std::vector<std::string> barred_;
  mutable std::vector<std::atomic<uint64_t>> node_runs_;
  std::vector<bool> node_expected_;
  mutable std::vector<Flag> contributed_;
  mutable std::vector<Flag> reached_;
  const bool program_;
  mutable GrowthWatch growth_;
  std::vector<std::unique_ptr<StableProbe>> probes_;
  std::vector<StableProbe*> probe_of_;  // By invariant; null if there is none.
  mutable Flag piles_;
  mutable model::Mutex mutex_;
  mutable std::vector<std::string> piling_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::predictors
