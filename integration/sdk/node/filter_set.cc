#include "foretell/integration/sdk/node/filter_set.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {
namespace {

using model::Event;
using model::EventKind;
using snapshot::Filter;
using snapshot::Mode;

// A filter that can never match, or not be obeyed, would make the agent believe in a veto that is
// none.
absl::Status CheckKind(const model::Service& service, const Filter& filter) {
  const Event& event = filter.event;
  const auto wrong = [&](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat("filter ", filter.decision, " (",
                                                   snapshot::FilterKindName(filter.kind), " on ",
                                                   model::KindName(event.kind), "): ", why));
  };
  if (event.kind == EventKind::kDeliver && !service.ValidMessage(event.body)) {
    return wrong("not a message of this service");
  }
  if (event.kind == EventKind::kAction && !service.ValidAction(event.body)) {
    return wrong("not an action of this service");
  }
  const snapshot::FilterTarget target = snapshot::TargetOf(service, event);
  if (snapshot::TraitsOf(filter.kind).target == target) return absl::OkStatus();
  const auto right = snapshot::KindFor(target);
  return wrong(right ? absl::StrCat("what stops it is ", snapshot::FilterKindName(*right))
                     : "nothing stops it");
}

absl::Status CheckFilter(const model::Service& service, model::NodeId self, const Filter& filter) {
  const auto wrong = [&filter](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat("filter ", filter.decision, ": ", why));
  };
  if (filter.node != self) {
    return wrong(absl::StrCat("is for node ", filter.node.value(), ", this is ", self.value()));
  }
  if (filter.mode != Mode::kShadow && filter.mode != Mode::kEnforce) {
    return wrong(absl::StrCat("mode ", snapshot::ModeName(filter.mode), " stops nothing"));
  }
  if (filter.lease.count() <= 0 || filter.lease > FilterSet::kLeaseMax) {
    return wrong(absl::StrCat("a lease of ", filter.lease.count(), " ms is not within 24 hours"));
  }
  return CheckKind(service, filter);
}

}  // namespace

absl::Status FilterSet::Replace(const model::Service& service, model::NodeId self,
                                std::vector<Filter> filters, Time now) {
  if (filters.size() > snapshot::kFiltersMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat(filters.size(), " filters, limit ", snapshot::kFiltersMax));
  }
  std::map<std::pair<std::string_view, const model::Event&>, uint64_t> counts;
  for (const Entry& old : entries_) {
    counts.try_emplace({old.filter.decision, old.filter.event}, old.count);
  }
  std::vector<Entry> entries;
  entries.reserve(filters.size());
  for (Filter& filter : filters) {
    const absl::Status status = CheckFilter(service, self, filter);
    if (!status.ok()) return status;
    Entry entry{std::move(filter), {}, 0};
    entry.until = now + entry.filter.lease;
    const auto before = counts.find({entry.filter.decision, entry.filter.event});
    if (before != counts.end()) entry.count = before->second;
    entries.push_back(std::move(entry));
  }
  entries_ = std::move(entries);
  return absl::OkStatus();
}

FilterSet::Match FilterSet::Find(const model::Event& event, Time now) {
  std::erase_if(entries_, [now](const Entry& entry) { return entry.until <= now; });
  Match match;
  for (Entry& entry : entries_) {
    if (entry.filter.event != event) continue;
    const bool enforced = entry.filter.mode == Mode::kEnforce;
    // One event is vetoed once, however many filters want it.
    if (enforced && match.veto != nullptr) continue;
    ++entry.count;
    if (enforced) {
      match.veto = &entry.filter;
      match.until = entry.until;
    } else {
      ++match.shadowed;
    }
  }
  return match;
}

void FilterSet::Take(FilterSet& other) {
  for (Entry& entry : other.entries_) entries_.push_back(std::move(entry));
  other.entries_.clear();
}

bool FilterSet::Any(Time now) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [now](const Entry& entry) { return entry.until > now; });
}

bool FilterSet::HasDecision(const std::string& decision) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&decision](const Entry& entry) { return entry.filter.decision == decision; });
}

std::vector<Filter> FilterSet::InForce(Time now) const {
  std::vector<Filter> filters;
  for (const Entry& entry : entries_) {
    if (entry.until <= now) continue;
    filters.push_back(entry.filter);
    filters.back().lease = std::chrono::ceil<std::chrono::milliseconds>(entry.until - now);
  }
  return filters;
}

std::vector<snapshot::FilterHits> FilterSet::hits() const {
  std::vector<snapshot::FilterHits> hits;
  hits.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    hits.push_back({entry.filter.decision, entry.filter.mode, entry.count});
  }
  return hits;
}

}  // namespace foretell::integration::sdk
