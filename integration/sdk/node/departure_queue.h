#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/node/filter_set.h"

namespace foretell::integration::sdk {

// Messages that injected faults hold back. Those that are due at the same time leave in the order
// in which they came. Pure; belongs to the node's loop.
class DepartureQueue {
 public:
  static constexpr size_t kMessagesMax = 1 << 16;

  // False, and the message is gone, if the queue is full.
  [[nodiscard]] bool Add(Time due, Outgoing message);
  std::optional<Outgoing> TakeDue(Time now);
  std::optional<Time> Next() const;
  void EraseTo(model::NodeId peer);
  bool empty() const { return messages_.empty(); }

 private:
  std::map<std::pair<Time, uint64_t>, Outgoing> messages_;
  uint64_t count_ = 0;
};

}  // namespace foretell::integration::sdk
