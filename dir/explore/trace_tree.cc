#include "foretell/dir/explore/trace_tree.h"

#include <algorithm>
#include <utility>

namespace foretell::dir {

void TraceTree::Schedule(uint32_t node, const Candidate& candidate, Guide guide) {
  if (IsScheduled(node, candidate)) return;
  const auto index = static_cast<uint32_t>(choices_.size());
  Choice& added = choices_.emplace_back();
  added.candidate = candidate;
  bytes_ += sizeof(Choice);
  if (!guide.empty()) {
    bytes_ += sizeof(Guide) + guide.size() * sizeof(Candidate);
    added.guide = std::make_unique<Guide>(std::move(guide));
  }
  Node& at = nodes_[node];
  (at.first == kNone ? at.first : choices_[at.last].next) = index;
  at.last = index;
}

bool TraceTree::IsScheduled(uint32_t node, const Candidate& candidate) const {
  for (uint32_t c = nodes_[node].first; c != kNone; c = choices_[c].next) {
    if (choices_[c].candidate.Same(candidate)) return true;
  }
  return false;
}

void TraceTree::Grow(uint32_t node, uint32_t choice, uint32_t count,
                     std::span<const Candidate> asleep) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  const std::span<const Candidate> own = nodes_[node].asleep;
  const bool same = asleep.size() == own.size() &&
                    std::equal(asleep.begin(), asleep.end(), own.begin(),
                               [](const Candidate& a, const Candidate& b) { return a.Same(b); });
  const std::span<const Candidate> kept = same ? own : sleepers_.Add(asleep);
  choices_[choice].children = first;
  const std::unique_ptr<Guide> guide = std::move(choices_[choice].guide);
  for (uint32_t n = 0; n < count; ++n) {
    Node& added = nodes_.emplace_back();
    added.asleep = kept;
    if (guide != nullptr) added.guide = std::make_unique<Guide>(*guide);
  }
  bytes_ += count * sizeof(Node);
}

bool TraceTree::IsAsleep(uint32_t node, const Candidate& candidate) const {
  const std::span<const Candidate> asleep = nodes_[node].asleep;
  return std::any_of(asleep.begin(), asleep.end(),
                     [&candidate](const Candidate& other) { return other.Same(candidate); });
}

TraceTree::Guide TraceTree::TakeGuide(uint32_t node) {
  const std::unique_ptr<Guide> guide = std::move(nodes_[node].guide);
  return guide == nullptr ? Guide() : std::move(*guide);
}

}  // namespace foretell::dir
