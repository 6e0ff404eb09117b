#include "foretell/dir/explore/coverage.h"

#include <algorithm>

namespace foretell::dir {

void Coverage::Add(const Skeleton& skeleton, uint32_t origin) {
  const auto number = static_cast<uint32_t>(entries_.size());
  Entry& entry = entries_.emplace_back();
  entry.skeleton = &skeleton;
  for (uint32_t c = 0; c < skeleton.locals.size(); ++c) {
    const LocalSkeleton& local = skeleton.locals[c];
    for (size_t i = 0; i < local.transitions.size(); ++i) {
      const Signature& transition = local.transitions[i];
      const auto fresh_id = static_cast<uint32_t>(events_.size());
      const auto [found, fresh] = events_of_[c].try_emplace(transition, fresh_id);
      if (fresh) events_.push_back({Skeleton::ComponentSignature(ComponentId(c), transition), {}});
      events_[found->second].skeletons.push_back(number);
      entry.events.push_back({found->second, ComponentId(c), local.positions[i], {}});
    }
  }
  std::sort(entry.events.begin(), entry.events.end(),
            [](const Occurrence& a, const Occurrence& b) { return a.position < b.position; });
  for (Occurrence& event : entry.events) {
    event.before = entry.all;
    entry.all += events_[event.event].signature;
  }
  FindNovel(origin, entry);
  bytes_ += sizeof(Entry) + entry.events.size() * (sizeof(Occurrence) + sizeof(uint32_t));
}

void Coverage::FindNovel(uint32_t origin, Entry& entry) {
  entry.first = origin == kNone;
  if (entry.first) return;
  const auto number = static_cast<uint32_t>(entries_.size() - 1);
  last_seen_.resize(events_.size(), kNone);
  for (const Occurrence& known : entries_[origin].events) last_seen_[known.event] = number;
  for (const Occurrence& event : entry.events) {
    if (last_seen_[event.event] == number) continue;
    if (entry.skeleton->trace[event.position].past.Intersects(entry.novel)) continue;
    entry.novel.Set(event.position);
  }
}

void Coverage::Drop(uint32_t number, ComponentId component, std::span<const Signature> dropped,
                    Rest& rest) const {
  const Entry& entry = entries_[number];
  const LocalSkeleton& own = entry.skeleton->locals[component.index()];
  rest.skeleton = number;
  rest.gone.Clear();
  uint32_t first = kNone;
  for (const Signature& transition : dropped) {
    const auto found = std::find(own.transitions.begin(), own.transitions.end(), transition);
    const uint32_t position = own.positions[static_cast<size_t>(found - own.transitions.begin())];
    rest.gone.Set(position);
    first = std::min(first, position);
  }
  const auto stays = [&](size_t position) {
    return !rest.gone.Test(position) && !entry.skeleton->trace[position].past.Intersects(rest.gone);
  };
  rest.novel = entry.first;
  entry.novel.ForEach([&](size_t position) { rest.novel = rest.novel || stays(position); });
  // All events before the first in the trace stay; of the others, those that do not depend on any.
  auto event = std::lower_bound(entry.events.begin(), entry.events.end(), first,
                                [](const Occurrence& occurrence, uint32_t position) {
                                  return occurrence.position < position;
                                });
  rest.signature = event == entry.events.end() ? entry.all : event->before;
  for (; event != entry.events.end(); ++event) {
    if (stays(event->position)) rest.signature += events_[event->event].signature;
  }
}

// The latest of each component: a message that a transition received does not tell what else its
// sender did.
void Coverage::FindLatest(const Rest& rest) {
  latest_.clear();
  const Entry& entry = entries_[rest.skeleton];
  for (Positions& later : before_) later.Clear();
  for (auto event = entry.events.rbegin(); event != entry.events.rend(); ++event) {
    const Positions& past = entry.skeleton->trace[event->position].past;
    if (rest.gone.Test(event->position) || past.Intersects(rest.gone)) continue;
    Positions& later = before_[event->component.index()];
    if (!later.Test(event->position)) latest_.push_back(event->event);
    later.UnionWith(past);
  }
}

bool Coverage::Covers(const Rest& rest, ComponentId component, const Signature& next) {
  const auto& known = events_of_[component.index()];
  const auto found = known.find(next);
  if (found == known.end()) return false;
  FindLatest(rest);
  // A skeleton that has all: each list in turn gives the first that may be.
  const std::vector<uint32_t>& candidates = events_[found->second].skeletons;
  uint32_t candidate = candidates.front();
  for (size_t agreed = 0; agreed <= latest_.size();) {
    for (size_t i = 0; i <= latest_.size() && agreed <= latest_.size(); ++i) {
      const auto& list = i == 0 ? candidates : events_[latest_[i - 1]].skeletons;
      const auto at = std::lower_bound(list.begin(), list.end(), candidate);
      if (at == list.end()) return false;
      agreed = *at == candidate ? agreed + 1 : 1;
      candidate = *at;
    }
  }
  return true;
}

}  // namespace foretell::dir
