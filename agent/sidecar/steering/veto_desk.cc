#include "foretell/agent/sidecar/steering/veto_desk.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using snapshot::Filter;

// The same veto, whatever decision it came from.
bool Same(const Filter& a, const Filter& b) {
  return a.node == b.node && a.event == b.event && a.invariant == b.invariant && a.mode == b.mode &&
         a.kind == b.kind;
}

bool Contains(const std::vector<Filter>& filters, const Filter& filter) {
  return std::any_of(filters.begin(), filters.end(),
                     [&filter](const Filter& other) { return Same(other, filter); });
}

}  // namespace

const char* ActionName(VetoDesk::Action action) {
  switch (action) {
    case VetoDesk::Action::kApplied: return "applied";
    case VetoDesk::Action::kRenewed: return "renewed";
    case VetoDesk::Action::kRemoved: return "removed";
    case VetoDesk::Action::kExpired: return "expired";
    case VetoDesk::Action::kRefused: return "refused";
    case VetoDesk::Action::kTakenOver: return "taken over";
  }
  return "";
}

std::vector<VetoDesk::Change> VetoDesk::Update(const std::vector<Filter>& wanted, bool conclusive,
                                               uint64_t round, Time now) {
  std::vector<Change> changes;
  std::erase_if(vetoes_, [&](const Veto& veto) {
    if (Contains(wanted, veto.filter)) return false;
    if (veto.until > now && !conclusive) return false;
    changes.push_back({veto.until > now ? Action::kRemoved : Action::kExpired, veto.filter});
    return true;
  });
  uint32_t fresh = 0;
  for (const Filter& filter : wanted) {
    const auto held = std::find_if(vetoes_.begin(), vetoes_.end(),
                                   [&](const Veto& veto) { return Same(veto.filter, filter); });
    if (held != vetoes_.end()) {
      held->until = now + options_.lease;
      changes.push_back({Action::kRenewed, held->filter});
      continue;
    }
    Filter made = filter;
    made.decision = absl::StrCat(options_.decision_prefix, round, "-", ++fresh);
    made.lease = options_.lease;
    if (vetoes_.size() >= options_.filters_max) {
      changes.push_back({Action::kRefused, made});
      continue;
    }
    vetoes_.push_back({made, now + options_.lease});
    changes.push_back({Action::kApplied, made});
  }
  return changes;
}

size_t VetoDesk::CountNew(const std::vector<Filter>& wanted) const {
  return static_cast<size_t>(
      std::count_if(wanted.begin(), wanted.end(), [this](const Filter& filter) {
        return std::none_of(vetoes_.begin(), vetoes_.end(),
                            [&](const Veto& veto) { return Same(veto.filter, filter); });
      }));
}

std::vector<VetoDesk::Change> VetoDesk::TakeOver(const std::vector<Filter>& filters, Time now) {
  std::vector<Change> changes;
  for (const Filter& filter : filters) {
    if (vetoes_.size() >= options_.filters_max) break;
    vetoes_.push_back({filter, now + filter.lease});
    changes.push_back({Action::kTakenOver, filter});
  }
  return changes;
}

std::vector<VetoDesk::Change> VetoDesk::Clear() {
  std::vector<Change> changes;
  for (const Veto& veto : vetoes_) changes.push_back({Action::kRemoved, veto.filter});
  vetoes_.clear();
  return changes;
}

std::vector<std::vector<Filter>> VetoDesk::ByNode(size_t node_count, Time now) const {
  std::vector<std::vector<Filter>> filters(node_count);
  for (const Veto& veto : vetoes_) {
    if (veto.until <= now || veto.filter.node.index() >= node_count) continue;
    Filter filter = veto.filter;
    filter.lease = std::chrono::ceil<std::chrono::milliseconds>(veto.until - now);
    filters[filter.node.index()].push_back(std::move(filter));
  }
  return filters;
}

}  // namespace foretell::agent
