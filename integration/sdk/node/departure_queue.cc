#include "foretell/integration/sdk/node/departure_queue.h"

namespace foretell::integration::sdk {

bool DepartureQueue::Add(Time due, Outgoing message) {
  if (messages_.size() >= kMessagesMax) return false;
  messages_.emplace(std::pair(due, count_++), std::move(message));
  return true;
}

std::optional<Outgoing> DepartureQueue::TakeDue(Time now) {
  if (messages_.empty() || messages_.begin()->first.first > now) return std::nullopt;
  Outgoing message = std::move(messages_.begin()->second);
  messages_.erase(messages_.begin());
  return message;
}

std::optional<Time> DepartureQueue::Next() const {
  if (messages_.empty()) return std::nullopt;
  return messages_.begin()->first.first;
}

void DepartureQueue::EraseTo(model::NodeId peer) {
  std::erase_if(messages_, [peer](const auto& entry) { return entry.second.to == peer; });
}

}  // namespace foretell::integration::sdk
