#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "foretell/integration/sdk/values/time.h"
#include "foretell/model/service.h"

namespace foretell::integration::sdk {

// Tells somebody when what the safety invariants see of a node has changed. Costs nothing while
// nobody listens, and about one percent of the time at most while somebody does. Pure; belongs to
// the node's loop.
class InterestWatch {
 public:
  explicit InterestWatch(const model::Service& service) : service_(service) {}

  // Replaces the listener; an empty one ends the watch.
  void Listen(std::function<void()> changed, const model::LiveNode& live, uint64_t version);
  // When the next look at a node of this version is due; nothing if there is nothing to look at.
  std::optional<Time> Next(uint64_t version) const;
  // Looks if it is due. Once a look is found to be due later, nothing happens before OnTimer.
  void Look(const model::LiveNode& live, uint64_t version, const std::function<Time()>& now);
  // Tells that something has changed, whether it has or not. False if nobody listens.
  bool Tell() const;
  // To be called at the time of Next, or some other.
  void OnTimer() { waits_ = false; }

 private:
  std::vector<std::optional<std::string>> Keys(const model::LiveNode& live) const;

  const model::Service& service_;
  std::function<void()> changed_;
  std::vector<std::optional<std::string>> keys_;
  uint64_t seen_ = 0;
  Time next_{};
  bool waits_ =
      false;  // For OnTimer: events are many, and to ask for the time at each is not free.
  std::chrono::milliseconds pause_{0};
};

}  // namespace foretell::integration::sdk
