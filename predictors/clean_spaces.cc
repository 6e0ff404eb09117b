#include "foretell/predictors/clean_spaces.h"

#include <string>

#include "foretell/model/hash.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::predictors {
namespace {

// Length first: no two cuts have the same bytes.
void Put(std::string& bytes, const std::string& body) {
  bytes += std::to_string(body.size());
  bytes += ':';
  bytes += body;
}

}  // namespace

CleanSpaces::Hash CleanSpaces::HashOf(model::ValidCut start) const {
  const model::SystemCut canonical = model::PlainSystem(service_, *start).Canonical();
  std::string bytes;
  for (const model::NodeState& node : canonical.nodes) {
    bytes += static_cast<char>(node.status);
    bytes.append(node.faults.begin(), node.faults.end());
    Put(bytes, node.body);
  }
  for (const model::Message& message : canonical.in_flight) {
    bytes += std::to_string(message.from.value()) + '>' + std::to_string(message.to.value()) + ' ';
    Put(bytes, message.body);
  }
  const model::Hash128 hash = model::HashBytes128(bytes);
  return {hash.high, hash.low};
}

void CleanSpaces::Add(model::ValidCut start) {
  const Hash hash = HashOf(start);
  if (!known_.insert(hash).second) return;
  order_.push_back(hash);
  if (order_.size() <= kSpacesMax) return;
  known_.erase(order_.front());
  order_.pop_front();
}

bool CleanSpaces::Contains(model::ValidCut start) const { return known_.contains(HashOf(start)); }

}  // namespace foretell::predictors
