#include "foretell/dir/explore/deviations.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace foretell::dir {
namespace {

class Finder {
 public:
  explicit Finder(const std::vector<Signature>& own) : own_(own) {
    for (const Signature& transition : own_) behaviour_ += transition;
  }

  void Add(const Behaviour& behaviour) {
    if (behaviour.signature == behaviour_) return;
    const Signature along = Compare(behaviour);
    const bool silent = first_.empty();
    std::erase_if(first_, [&](const Signature& transition) {
      return !ways_.insert(SignatureOf({along, transition})).second;
    });
    if (!silent && first_.empty()) return;
    GroupOf(along, behaviour).deviations.push_back({&behaviour, first_});
  }

  std::vector<DeviationGroup> Take() {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const DeviationGroup& a, const DeviationGroup& b) {
                       return a.dropped.size() < b.dropped.size();
                     });
    return std::move(groups_);
  }

 private:
  // The signature of the transitions that both have. Fills first_.
  Signature Compare(const Behaviour& behaviour) {
    Signature along;
    first_.clear();
    deviating_.Clear();
    size_t next = 0;  // In own_: most have the same order.
    for (const Behaviour::InterfaceTransition& transition : behaviour.transitions) {
      // A transition is never the same if something before it is not.
      if (behaviour.trace[transition.position].past.Intersects(deviating_)) continue;
      if (Includes(transition.signature, next)) {
        along += transition.signature;
        continue;
      }
      first_.push_back(transition.signature);
      deviating_.Set(transition.position);
    }
    return along;
  }

  bool Includes(const Signature& transition, size_t& next) const {
    if (next < own_.size() && own_[next] == transition) {
      ++next;
      return true;
    }
    const auto found = std::find(own_.begin(), own_.end(), transition);
    if (found == own_.end()) return false;
    next = static_cast<size_t>(found - own_.begin()) + 1;
    return true;
  }

  DeviationGroup& GroupOf(const Signature& along, const Behaviour& behaviour) {
    const auto [found, fresh] = group_of_.try_emplace(along, groups_.size());
    if (!fresh) return groups_[found->second];
    DeviationGroup& group = groups_.emplace_back();
    for (auto own = own_.rbegin(); own != own_.rend(); ++own) {
      const auto same = [&](const Behaviour::InterfaceTransition& transition) {
        return transition.signature == *own;
      };
      if (std::none_of(behaviour.transitions.begin(), behaviour.transitions.end(), same)) {
        group.dropped.push_back(*own);
      }
    }
    return group;
  }

  const std::vector<Signature>& own_;
  Signature behaviour_;
  std::vector<DeviationGroup> groups_;
  absl::flat_hash_map<Signature, size_t> group_of_;  // By how far they go along.
  absl::flat_hash_set<Signature> ways_;
  // Of the last comparison.
  std::vector<Signature> first_;  // Transitions that own_ lacks, and that depend on none such.
  Positions deviating_;           // Of these.
};

}  // namespace

std::vector<DeviationGroup> FindDeviations(const std::vector<Signature>& own,
                                           const LocalTraces& traces) {
  Finder finder(own);
  for (const auto& [behaviour, count] : traces) finder.Add(*behaviour);
  return finder.Take();
}

uint64_t BytesOf(const std::vector<DeviationGroup>& groups) {
  uint64_t bytes = 0;
  for (const DeviationGroup& group : groups) {
    bytes += sizeof(group) + group.dropped.size() * sizeof(Signature);
    for (const Deviation& way : group.deviations) {
      bytes += sizeof(way) + way.first.size() * sizeof(Signature);
    }
  }
  return bytes;
}

}  // namespace foretell::dir
