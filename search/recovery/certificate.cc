#include "foretell/search/recovery/certificate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "foretell/model/plain/local_step.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {
namespace {

using model::Message;
using model::NodeId;
using model::NodeState;
using model::SystemCut;

absl::Status Missing(const std::string& what) {
  return absl::InternalError(absl::StrCat("a certificate of death does not hold: ", what));
}

// Whether recovery counts on this outcome; an outcome is adverse if one of its choices is.
bool Counts(const model::Service& service, model::CountOn count_on, const model::Event& event,
            uint32_t weight) {
  return weight > 0 && model::CountsOn(count_on, model::HelpOf(service, event));
}

// The outcomes of `event` that recovery counts on.
std::vector<model::LocalOutcome> Counted(const DeathClaim& claim, NodeId node,
                                         const NodeState& state, const model::Event& event) {
  std::vector<model::LocalOutcome> counted;
  for (model::LocalOutcome& outcome : RunAllChoices(claim.service, node, state, event)) {
    if (Counts(claim.service, claim.count_on, event, outcome.weight)) {
      counted.push_back(std::move(outcome));
    }
  }
  return counted;
}

absl::Status CheckClosed(const DeathClaim& claim, const Certificate& certificate) {
  const std::set<SystemCut> region(certificate.region.begin(), certificate.region.end());
  if (!region.contains(model::PlainSystem(claim.service, claim.dead).Canonical())) {
    return Missing("the dead state is not part of it");
  }
  for (const SystemCut& cut : region) {
    if (HoldsIn(claim.service, claim.property, cut)) return Missing("the predicate holds in it");
    const model::PlainSystem here(claim.service, cut);
    for (const model::PathStep& step : here.Enabled()) {
      if (!CountedOn(claim.service, claim.count_on, cut, step)) continue;
      model::PlainSystem next = here;
      if (absl::Status applied = next.Apply(step).status(); !applied.ok()) return applied;
      if (!region.contains(next.Canonical())) return Missing("a step leads out of it");
    }
  }
  return absl::OkStatus();
}

using Bag = std::map<Message, uint32_t>;
using Cover = std::map<std::vector<NodeState>, std::vector<Bag>>;

bool Within(const Bag& bag, const Bag& larger) {
  return std::all_of(bag.begin(), bag.end(), [&](const auto& entry) {
    const auto found = larger.find(entry.first);
    return found != larger.end() && found->second >= entry.second;
  });
}

bool IsCovered(const Cover& cover, const std::vector<NodeState>& nodes, const Bag& bag) {
  const auto found = cover.find(nodes);
  return found != cover.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const Bag& larger) { return Within(bag, larger); });
}

void AddTo(Bag& bag, const Message& message, uint32_t copies) {
  uint32_t& count = bag[message];
  if (count != CoveredCut::kAnyNumber) count += copies;
}

// One event at one node of a covered state; `arrives` is what it takes, if anything.
absl::Status CheckCoveredEvent(const DeathClaim& claim, const Cover& cover, const CoveredCut& cut,
                               uint32_t node, const model::Event& event, const Message* arrives) {
  Bag rest = cut.in_flight;
  if (arrives != nullptr && rest[*arrives] != CoveredCut::kAnyNumber && --rest[*arrives] == 0) {
    rest.erase(*arrives);
  }
  const uint32_t copies = 1 + claim.service.network().duplicates_max;
  for (const model::LocalOutcome& outcome : Counted(claim, NodeId(node), cut.nodes[node], event)) {
    std::vector<NodeState> nodes = cut.nodes;
    nodes[node] = outcome.next;
    Bag bag = rest;
    for (const model::Send& send : outcome.sends) {
      AddTo(bag, {NodeId(node), send.to, send.body}, copies);
    }
    if (!IsCovered(cover, nodes, bag)) return Missing("a step leads out of it");
  }
  return absl::OkStatus();
}

absl::Status CheckCoveredCut(const DeathClaim& claim, const Cover& cover, const CoveredCut& cut) {
  if (HoldsIn(claim.service, claim.property, {cut.nodes, {}})) {
    return Missing("the predicate holds in it");
  }
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    for (const model::Event& event : LocalEvents(claim.service, NodeId(n), cut.nodes[n])) {
      absl::Status status = CheckCoveredEvent(claim, cover, cut, n, event, nullptr);
      if (!status.ok()) return status;
    }
    if (!AcceptsMessages(cut.nodes[n])) continue;
    for (const auto& [message, count] : cut.in_flight) {
      if (message.to != NodeId(n)) continue;
      const model::Event event{model::EventKind::kDeliver, message.from, message.body};
      absl::Status status = CheckCoveredEvent(claim, cover, cut, n, event, &message);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCovered(const DeathClaim& claim, const Certificate& certificate) {
  Cover cover;
  for (const CoveredCut& cut : certificate.covered) cover[cut.nodes].push_back(cut.in_flight);
  Bag bag;
  for (const Message& message : claim.dead.in_flight) AddTo(bag, message, 1);
  if (!IsCovered(cover, claim.dead.nodes, bag)) return Missing("the dead state is not part of it");
  for (const CoveredCut& cut : certificate.covered) {
    if (absl::Status status = CheckCoveredCut(claim, cover, cut); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// One node of a kLocal certificate: closed under its own steps and under what may arrive.
absl::Status CheckLocalNode(const DeathClaim& claim, const Certificate& certificate,
                            const std::set<Message>& messages, uint32_t node) {
  const std::set<NodeState> states(certificate.nodes[node].begin(), certificate.nodes[node].end());
  if (!states.contains(claim.dead.nodes[node])) return Missing("the dead state is not part of it");
  for (const NodeState& state : states) {
    std::vector<model::Event> events = LocalEvents(claim.service, NodeId(node), state);
    for (const Message& message : messages) {
      if (message.to != NodeId(node) || !AcceptsMessages(state)) continue;
      events.push_back({model::EventKind::kDeliver, message.from, message.body});
    }
    for (const model::Event& event : events) {
      for (const model::LocalOutcome& outcome : Counted(claim, NodeId(node), state, event)) {
        if (!states.contains(outcome.next)) return Missing("a step leads out of it");
        for (const model::Send& send : outcome.sends) {
          if (!messages.contains({NodeId(node), send.to, send.body})) {
            return Missing("a message is not part of it");
          }
        }
      }
    }
  }
  return absl::OkStatus();
}

// Calls `visit` with each distinct combination of what the predicate sees, until it returns true.
bool AnyCombination(const DeathClaim& claim, const Certificate& certificate,
                    const std::function<bool(const SystemCut&)>& visit) {
  std::vector<std::vector<NodeState>> kinds(certificate.nodes.size());
  for (uint32_t n = 0; n < kinds.size(); ++n) {
    std::set<std::pair<bool, std::optional<std::string>>> seen;
    for (const NodeState& state : certificate.nodes[n]) {
      const bool silent = IsSilent(state);
      auto key =
          silent ? std::nullopt : claim.service.Project(claim.property, NodeId(n), state.body);
      if (seen.emplace(silent, std::move(key)).second) kinds[n].push_back(state);
    }
  }
  SystemCut cut;
  std::vector<size_t> at(kinds.size(), 0);
  for (;;) {
    cut.nodes.clear();
    for (size_t n = 0; n < at.size(); ++n) cut.nodes.push_back(kinds[n][at[n]]);
    if (visit(cut)) return true;
    size_t n = 0;
    while (n < at.size() && ++at[n] == kinds[n].size()) at[n++] = 0;
    if (n == at.size()) return false;
  }
}

absl::Status CheckLocal(const DeathClaim& claim, const Certificate& certificate) {
  const std::set<Message> messages(certificate.messages.begin(), certificate.messages.end());
  if (certificate.nodes.size() != claim.dead.nodes.size()) return Missing("a node is missing");
  for (const Message& message : claim.dead.in_flight) {
    if (!messages.contains(message)) return Missing("a message in flight is not part of it");
  }
  for (uint32_t n = 0; n < certificate.nodes.size(); ++n) {
    if (absl::Status status = CheckLocalNode(claim, certificate, messages, n); !status.ok()) {
      return status;
    }
  }
  const bool possible = AnyCombination(claim, certificate, [&](const SystemCut& cut) {
    return HoldsIn(claim.service, claim.property, cut);
  });
  return possible ? Missing("a combination of nodes satisfies the predicate") : absl::OkStatus();
}

}  // namespace

bool HoldsIn(const model::Service& service, size_t property, const SystemCut& cut) {
  for (const NodeState& node : cut.nodes) {
    if (node.status == model::NodeStatus::kFailed) return false;
  }
  const std::string& name = service.invariants()[property].name;
  return model::PlainSystem(service, cut).Culprits(name).empty();
}

bool CountedOn(const model::Service& service, model::CountOn count_on, const SystemCut& cut,
               const model::PathStep& step) {
  std::vector<uint32_t> offered;
  const NodeState& node = cut.nodes[step.node.index()];
  const uint32_t weight =
      RunLocal(service, step.node, node, step.event, step.choices, offered).weight;
  return Counts(service, count_on, step.event, weight);
}

absl::Status CheckCertificate(const DeathClaim& claim, const Certificate& certificate) {
  switch (certificate.how) {
    case model::DeathProof::How::kClosed: return CheckClosed(claim, certificate);
    case model::DeathProof::How::kCovered: return CheckCovered(claim, certificate);
    case model::DeathProof::How::kLocal: return CheckLocal(claim, certificate);
    case model::DeathProof::How::kCycle: break;  // No death; search/fairness checks it.
  }
  return Missing("it is of no known kind");
}

}  // namespace foretell::search
