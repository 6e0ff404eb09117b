#include "foretell/predictors/clean_spaces.h"

#include <xxhash.h>

#include <string>

#include "foretell/model/plain_system.h"

namespace foretell::predictors {
namespace {

// Length first: no two cuts have the same bytes.
void Put(std::string& bytes, const std::string& body) {
  bytes += std::to_string(body.size());
  bytes += ':';
  bytes += body;
}

}  // namespace

CleanSpaces::Hash CleanSpaces::HashOf(const model::SystemCut& start) const {
  const model::SystemCut canonical = model::PlainSystem(service_, start).Canonical();
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
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

void CleanSpaces::Add(const model::SystemCut& start) {
  const Hash hash = HashOf(start);
  if (!known_.insert(hash).second) return;
  order_.push_back(hash);
  if (order_.size() <= kSpacesMax) return;
  known_.erase(order_.front());
  order_.pop_front();
}

bool CleanSpaces::Contains(const model::SystemCut& start) const {
  return known_.contains(HashOf(start));
}

}  // namespace foretell::predictors
