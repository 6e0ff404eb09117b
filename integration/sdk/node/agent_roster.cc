#include "foretell/integration/sdk/node/agent_roster.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {

using snapshot::AgentIdentity;
using snapshot::Filter;
using snapshot::KnownAgent;

namespace {

std::string NameOf(const AgentIdentity& agent) {
  return absl::StrCat("agent '", agent.name, "' (", agent.life, ")");
}

}  // namespace

void AgentRoster::Introduce(Session session, AgentIdentity agent, Time now) {
  const auto known = present_.find(session);
  const bool same = known != present_.end() && known->second.agent == agent;
  if (!same) present_[session] = {std::move(agent), now};
  if (const auto asked = asked_.find(present_[session].agent.life); asked != asked_.end()) {
    asked->second.agent = present_[session].agent;
  }
}

void AgentRoster::End(Session session, Time now) {
  present_.erase(session);
  Tidy(now);
}

AgentRoster::Asked* AgentRoster::Part(Session session, Time now) {
  const auto present = present_.find(session);
  const AgentIdentity agent = present == present_.end() ? AgentIdentity{} : present->second.agent;
  if (const auto asked = asked_.find(agent.life); asked != asked_.end()) return &asked->second;
  Tidy(now);
  if (asked_.size() >= snapshot::kAgentsMax) return nullptr;
  const Time since = present == present_.end() ? now : present->second.since;
  return &asked_.try_emplace(agent.life, Asked{agent, since, {}, {service_, self_}}).first->second;
}

absl::Status AgentRoster::CheckDecisions(const std::string& life,
                                         const std::vector<Filter>& filters) const {
  size_t others = 0;
  for (const auto& [other, asked] : asked_) {
    if (other == life) continue;
    others += asked.filters.size();
    for (const Filter& filter : filters) {
      if (!asked.filters.HasDecision(filter.decision)) continue;
      return absl::AlreadyExistsError(
          absl::StrCat("filter ", filter.decision, ": is a decision of ", NameOf(asked.agent)));
    }
  }
  if (others + filters.size() <= snapshot::kFiltersMax) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      filters.size(), " filters, and ", others, " of other agents, limit ", snapshot::kFiltersMax));
}

absl::Status AgentRoster::SetFilters(Session session, std::vector<Filter> filters, Time now) {
  Asked* const part = Part(session, now);
  if (part == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat(snapshot::kAgentsMax, " agents steer already"));
  }
  absl::Status status = CheckDecisions(part->agent.life, filters);
  if (status.ok()) status = part->filters.Replace(service_, self_, std::move(filters), now);
  Tidy(now);
  return status;
}

absl::Status AgentRoster::SetSafetyCut(Session session, const snapshot::SafetyCut& cut, Time now) {
  Asked* const part = Part(session, now);
  if (part == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat(snapshot::kAgentsMax, " agents steer already"));
  }
  const absl::Status status = part->safety.Set(cut, now);
  Tidy(now);
  return status;
}

absl::StatusOr<std::vector<Filter>> AgentRoster::Adopt(Session session, const std::string& life,
                                                       Time now) {
  const auto left = asked_.find(life);
  const auto present = present_.find(session);
  if (left == asked_.end() || present == present_.end()) {
    return absl::NotFoundError(absl::StrCat("nothing is left of life ", life));
  }
  const AgentIdentity& heir = present->second.agent;
  const AgentIdentity& former = left->second.agent;
  if (life.empty() || life == heir.life || former.name != heir.name || Connected(life)) {
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(heir), " cannot take over from ", NameOf(former),
        former.name == heir.name ? ", which is connected" : ", which is another agent"));
  }
  std::vector<Filter> filters = left->second.filters.InForce(now);
  auto former_part = asked_.extract(left);
  Part(session, now)->filters.Take(former_part.mapped().filters);
  return filters;
}

FilterSet::Match AgentRoster::Find(const model::Event& event, Time now) {
  FilterSet::Match match;
  for (auto& [life, asked] : asked_) {
    const FilterSet::Match own = asked.filters.Find(event, now);
    match.shadowed += own.shadowed;
    if (own.veto == nullptr || (match.veto != nullptr && match.until >= own.until)) continue;
    match.veto = own.veto;
    match.until = own.until;
  }
  return match;
}

bool AgentRoster::Checks(Time now) {
  bool active = false;
  for (auto& [life, asked] : asked_) active = asked.safety.Active(now) || active;
  return active;
}

SafetyCheck::Finding AgentRoster::Compare(const model::LiveNode& before,
                                          const model::LiveNode& after) const {
  SafetyCheck::Finding strongest;
  for (const auto& [life, asked] : asked_) {
    SafetyCheck::Finding own = asked.safety.Compare(before, after);
    if (own.mode > strongest.mode) strongest = std::move(own);
  }
  return strongest;
}

std::vector<snapshot::FilterHits> AgentRoster::hits() const {
  std::vector<snapshot::FilterHits> all;
  for (const auto& [life, asked] : asked_) {
    for (snapshot::FilterHits& hits : asked.filters.hits()) all.push_back(std::move(hits));
  }
  return all;
}

std::vector<KnownAgent> AgentRoster::Known(Time now) const {
  std::map<std::string, KnownAgent> known;
  const auto add = [&](const AgentIdentity& agent, Time since) -> KnownAgent& {
    KnownAgent& one = known[agent.life];
    one.agent = agent;
    one.known_for = std::chrono::floor<std::chrono::milliseconds>(now - since);
    return one;
  };
  for (const auto& [life, asked] : asked_) {
    const std::vector<Filter> filters = asked.filters.InForce(now);
    if (filters.empty() && !Connected(life)) continue;
    KnownAgent& one = add(asked.agent, asked.since);
    one.filters = static_cast<uint32_t>(filters.size());
    for (const Filter& filter : filters) one.lease = std::max(one.lease, filter.lease);
  }
  for (const auto& [session, present] : present_) {
    add(present.agent, present.since).connected = true;
  }
  std::vector<KnownAgent> all;
  for (auto& [life, one] : known) all.push_back(std::move(one));
  return all;
}

bool AgentRoster::Connected(const std::string& life) const {
  return std::any_of(present_.begin(), present_.end(),
                     [&life](const auto& one) { return one.second.agent.life == life; });
}

void AgentRoster::Tidy(Time now) {
  for (auto one = asked_.begin(); one != asked_.end();) {
    const bool wanted = one->second.filters.Any(now) || one->second.safety.Active(now);
    one = wanted ? std::next(one) : asked_.erase(one);
  }
}

}  // namespace foretell::integration::sdk
