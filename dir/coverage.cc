#include "dir/coverage.h"

#include <algorithm>

namespace foretell::dir {

void Coverage::Add(const Skeleton& skeleton) {
  const auto number = static_cast<uint32_t>(entries_.size());
  Entry& entry = entries_.emplace_back();
  entry.skeleton = &skeleton;
  for (uint32_t c = 0; c < skeleton.parts.size(); ++c) {
    for (const Signature& transition : skeleton.parts[c].transitions) {
      const auto fresh_id = static_cast<uint32_t>(events_.size());
      const auto [found, fresh] = events_of_[c].try_emplace(transition, fresh_id);
      if (fresh) events_.push_back({Skeleton::PartSignature(ComponentId(c), transition), {}});
      events_[found->second].skeletons.push_back(number);
      entry.events.push_back(found->second);
    }
  }
}

void Coverage::Drop(uint32_t number, ComponentId component, std::span<const Signature> dropped,
                    Rest& rest) {
  const Skeleton& skeleton = *entries_[number].skeleton;
  const Skeleton::Part& own = skeleton.parts[component.index()];
  Positions gone;
  for (const Signature& transition : dropped) {
    const auto found = std::find(own.transitions.begin(), own.transitions.end(), transition);
    gone.Set(own.positions[static_cast<size_t>(found - own.transitions.begin())]);
  }
  rest.signature = Signature();
  rest.latest.clear();
  size_t end = entries_[number].events.size();
  for (auto part = skeleton.parts.rbegin(); part != skeleton.parts.rend(); ++part) {
    Positions before;  // Some later transition of the component.
    for (size_t i = part->positions.size(); i-- > 0;) {
      const uint32_t event = entries_[number].events[--end];
      const uint32_t position = part->positions[i];
      const Positions& past = skeleton.trace[position].past;
      if (gone.Test(position) || past.Intersects(gone)) continue;
      rest.signature += events_[event].signature;
      if (before.Test(position)) continue;
      rest.latest.push_back(event);
      before.UnionWith(past);
    }
  }
}

bool Coverage::Covers(const Rest& rest, ComponentId component, const Signature& next) {
  const auto& known = events_of_[component.index()];
  const auto found = known.find(next);
  if (found == known.end()) return false;
  // Skeletons that have all: the one list after the other says which is the first that may.
  const std::vector<uint32_t>& candidates = events_[found->second].skeletons;
  uint32_t candidate = candidates.front();
  for (size_t agreed = 0; agreed <= rest.latest.size();) {
    for (size_t i = 0; i <= rest.latest.size() && agreed <= rest.latest.size(); ++i) {
      const auto& list = i == 0 ? candidates : events_[rest.latest[i - 1]].skeletons;
      const auto at = std::lower_bound(list.begin(), list.end(), candidate);
      if (at == list.end()) return false;
      agreed = *at == candidate ? agreed + 1 : 1;
      candidate = *at;
    }
  }
  return true;
}

}  // namespace foretell::dir
