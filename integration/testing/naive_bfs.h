#pragma once

// The obvious breadth-first search on the plain semantics: slow, and therefore easy to believe. It
// judges small services in tests.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::integration::testing {

struct BfsResult {
  uint64_t states = 0;
  uint64_t transitions = 0;
  bool complete = false;
  std::map<std::string, model::Path> violations;  // A shortest path for each broken invariant.
};

class NaiveBfs {
 public:
  explicit NaiveBfs(const model::System& system) : system_(system) {}

  // Visits at most about `states_max` states; stops at the first violation if told to.
  BfsResult Run(uint64_t states_max, bool stop_at_violation = false) {
    Add(system_.start, {0, {}});
    for (uint64_t next = 0; !queue_.empty(); ++next) {
      const bool enough = stop_at_violation && !result_.violations.empty();
      if (enough || visits_.size() >= states_max) break;
      const model::PlainSystem state(*system_.service, std::move(queue_.front()));
      queue_.pop_front();
      for (model::PathStep& step : state.Enabled()) {
        model::PlainSystem after = state;
        FORETELL_CHECK(after.Apply(step).ok());
        ++result_.transitions;
        Add(after.Canonical(), {next, std::move(step)});
      }
    }
    result_.states = visits_.size();
    result_.complete = queue_.empty();
    return result_;
  }

 private:
  struct Visit {
    uint64_t parent = 0;
    model::PathStep step;
  };

  // States that differ in auxiliary parts only are one.
  std::string KeyOf(const model::SystemCut& cut) const {
    std::string key;
    const auto put = [&key](const std::string& bytes) {
      key += std::to_string(bytes.size()) + ':' + bytes;
    };
    for (const model::NodeState& node : cut.nodes) {
      key += static_cast<char>(node.status);
      key.append(node.faults.begin(), node.faults.end());
      put(model::IsSilent(node) ? node.body : system_.service->Relevant(node.body));
    }
    for (const model::Message& message : cut.in_flight) {
      key += {static_cast<char>(message.from.value()), static_cast<char>(message.to.value())};
      put(message.body);
    }
    return key;
  }

  void Add(model::SystemCut cut, Visit visit) {
    model::PlainSystem state(*system_.service, std::move(cut));
    cut = state.Canonical();
    if (!seen_.try_emplace(KeyOf(cut), visits_.size()).second) return;
    visits_.push_back(std::move(visit));
    for (const std::string& invariant : state.Violated()) {
      if (!result_.violations.contains(invariant)) result_.violations[invariant] = LastPath();
    }
    queue_.push_back(std::move(cut));
  }

  model::Path LastPath() const {
    model::Path path;
    for (uint64_t at = visits_.size() - 1; at != 0; at = visits_[at].parent) {
      path.insert(path.begin(), visits_[at].step);
    }
    return path;
  }

  const model::System& system_;
  std::unordered_map<std::string, uint64_t> seen_;
  std::vector<Visit> visits_;
  std::deque<model::SystemCut> queue_;
  BfsResult result_;
};

// The system, which must exist.
inline model::System MakeOrDie(const model::ServiceFamily& family, const std::string& scenario,
                               const std::string& bug = "") {
  absl::StatusOr<model::System> system = family.Make(scenario, bug);
  FORETELL_CHECK(system.ok());
  return *std::move(system);
}

}  // namespace foretell::integration::testing
