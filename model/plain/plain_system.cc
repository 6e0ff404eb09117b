#include "foretell/model/plain/plain_system.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"
#include "foretell/model/plain/local_step.h"

namespace foretell::model {
namespace {

bool IsStreams(const Service& service) { return service.network().kind == NetworkKind::kStreams; }

// Paths can come from a file: a body may be anything.
bool ValidBody(const Service& service, const Event& event) {
  switch (event.kind) {
    case EventKind::kDeliver: return service.ValidMessage(event.body);
    case EventKind::kAction: return service.ValidAction(event.body);
    default: return true;
  }
}

// Whether a handler that was offered `offered` could choose `choices`.
absl::Status SameChoices(std::span<const uint32_t> choices, std::span<const uint32_t> offered) {
  if (choices.size() != offered.size()) {
    return absl::FailedPreconditionError(absl::StrCat("the handler made ", offered.size(),
                                                      " choices, the path has ", choices.size()));
  }
  for (size_t i = 0; i < offered.size(); ++i) {
    if (choices[i] < offered[i]) continue;
    return absl::FailedPreconditionError(absl::StrCat("choice ", choices[i], " of ", offered[i]));
  }
  return absl::OkStatus();
}

// The keys of every node for one invariant; nothing for failed and absent nodes.
std::vector<std::optional<std::string>> KeysOf(const Service& service, size_t invariant,
                                               const SystemCut& cut) {
  std::vector<std::optional<std::string>> keys;
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    const NodeState& node = cut.nodes[n];
    keys.push_back(IsSilent(node) ? std::nullopt
                                  : service.Project(invariant, NodeId(n), node.body));
  }
  return keys;
}

// The nodes that break the invariant together; empty if it holds.
std::vector<uint32_t> Breaking(const Service& service, size_t invariant, const SystemCut& cut) {
  if (NeedsEveryNode(service.invariants()[invariant].scope) && IsNeighbourhood(cut)) return {};
  return FirstBroken(service, invariant, KeysOf(service, invariant, cut));
}

absl::Status ValidateNode(const Service& service, uint32_t index, const NodeState& node) {
  const FaultBudget budget = service.faults(NodeId(index));
  if (!IsSilent(node) && !service.ValidState(node.body)) {
    return absl::InvalidArgumentError(absl::StrCat("node ", index, ": its ", node.body.size(),
                                                   " bytes are not a state of this service"));
  }
  for (const FaultKindInfo& fault : kFaults) {
    if (node.faults[fault.kind] <= budget[fault.kind]) continue;
    return absl::InvalidArgumentError(absl::StrCat("node ", index, ": ", fault.did, " ",
                                                   node.faults[fault.kind], " ", fault.times,
                                                   ", budget ", budget[fault.kind]));
  }
  return absl::OkStatus();
}

absl::Status ValidateClasses(const Service& service) {
  std::set<NodeId> named;
  for (const std::vector<NodeId>& nodes : service.Interchangeable()) {
    for (const NodeId node : nodes) {
      if (node.value() >= service.node_count()) {
        return absl::InvalidArgumentError(
            absl::StrCat("node ", node.value(), " is said to be interchangeable, the last node is ",
                         service.node_count() - 1));
      }
      if (named.insert(node).second) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("node ", node.value(), " is said to be interchangeable twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateService(const Service& service) {
  const auto invariants = service.invariants();
  if (invariants.size() >= kInvariantsMax) {
    return absl::InvalidArgumentError(absl::StrCat("the service has ", invariants.size(),
                                                   " invariants, at most ", kInvariantsMax - 1,
                                                   " can be checked"));
  }
  std::set<std::string> names = {kLocalAssertions};
  for (const InvariantInfo& info : invariants) {
    if (names.insert(info.name).second) continue;
    return absl::InvalidArgumentError(absl::StrCat("two invariants are called ", info.name));
  }
  if (absl::Status status = ValidateClasses(service); !status.ok()) return status;
  constexpr uint32_t kDuplicatesMax = 255;
  if (service.network().duplicates_max > kDuplicatesMax) {
    return absl::InvalidArgumentError(absl::StrCat(
        "duplicates_max is ", service.network().duplicates_max, ", the most is ", kDuplicatesMax));
  }
  return absl::OkStatus();
}

absl::Status ValidateCut(const Service& service, const SystemCut& cut) {
  if (absl::Status status = ValidateService(service); !status.ok()) return status;
  if (cut.nodes.size() != service.node_count()) {
    return absl::InvalidArgumentError(absl::StrCat("the cut has ", cut.nodes.size(),
                                                   " nodes, the service ", service.node_count()));
  }
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    if (absl::Status status = ValidateNode(service, n, cut.nodes[n]); !status.ok()) return status;
  }
  for (const Message& message : cut.in_flight) {
    const uint32_t highest = std::max(message.from.value(), message.to.value());
    if (highest >= service.node_count()) {
      return absl::InvalidArgumentError(absl::StrCat("a message in flight names node ", highest,
                                                     ", the last is ", service.node_count() - 1));
    }
    if (!service.ValidMessage(message.body)) {
      return absl::InvalidArgumentError(
          absl::StrCat("a message in flight from node ", message.from.value(), " to node ",
                       message.to.value(), ": its bytes are not a message of this service"));
    }
  }
  return absl::OkStatus();
}

PlainSystem::PlainSystem(const Service& service, SystemCut cut)
    : service_(service), state_(std::move(cut)), sent_by_(state_.in_flight.size()) {}

SystemCut PlainSystem::Canonical() const {
  SystemCut canonical = state_;
  if (IsStreams(service_)) {
    std::stable_sort(canonical.in_flight.begin(), canonical.in_flight.end(),
                     [](const Message& a, const Message& b) {
                       return std::tie(a.to, a.from) < std::tie(b.to, b.from);
                     });
  } else {
    std::sort(canonical.in_flight.begin(), canonical.in_flight.end());
  }
  return canonical;
}

bool PlainSystem::Deliverable(size_t index) const {
  const Message& message = state_.in_flight[index];
  if (!AcceptsMessages(state_.nodes[message.to.index()])) return false;
  // On a stream only the oldest message of a channel can arrive; of equal datagrams the first
  // stands for all.
  for (size_t i = 0; i < index; ++i) {
    const Message& earlier = state_.in_flight[i];
    if (IsStreams(service_) ? earlier.from == message.from && earlier.to == message.to
                            : earlier == message) {
      return false;
    }
  }
  return true;
}

std::vector<PathStep> PlainSystem::Enabled() const {
  std::vector<PathStep> steps;
  const auto add = [&](NodeId node, const Event& event) {
    for (LocalOutcome& outcome : RunAllChoices(service_, node, state_.nodes[node.index()], event)) {
      steps.push_back({node, event, std::move(outcome.choices)});
    }
  };
  for (size_t i = 0; i < state_.in_flight.size(); ++i) {
    if (!Deliverable(i)) continue;
    const Message& message = state_.in_flight[i];
    add(message.to, {EventKind::kDeliver, message.from, message.body});
  }
  for (uint32_t n = 0; n < state_.nodes.size(); ++n) {
    for (const Event& event : LocalEvents(service_, NodeId(n), state_.nodes[n])) {
      add(NodeId(n), event);
    }
  }
  return steps;
}

std::optional<SentBy> PlainSystem::Take(size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  const std::optional<SentBy> sent_by = sent_by_[index];
  state_.in_flight.erase(state_.in_flight.begin() + at);
  sent_by_.erase(sent_by_.begin() + at);
  return sent_by;
}

void PlainSystem::Cut(const PathStep& step) {
  const StreamLoss loses = InfoOf(step.event.kind).loses;
  if (!IsStreams(service_) || loses == StreamLoss::kNothing) return;
  for (size_t i = state_.in_flight.size(); i-- > 0;) {
    const Message& message = state_.in_flight[i];
    const bool cut = loses == StreamLoss::kAll || message.from == step.event.peer;
    if (cut && message.to == step.node) Take(i);
  }
}

void PlainSystem::Post(const Message& message, SentBy sent_by) {
  const uint32_t copies = IsStreams(service_) ? 1 : 1 + service_.network().duplicates_max;
  state_.in_flight.insert(state_.in_flight.end(), copies, message);
  sent_by_.insert(sent_by_.end(), copies, sent_by);
}

size_t PlainSystem::FindDeliverable(const Message& wanted) const {
  size_t index = 0;
  while (index < state_.in_flight.size() &&
         !(state_.in_flight[index] == wanted && Deliverable(index))) {
    ++index;
  }
  return index;
}

absl::Status PlainSystem::Possible(const PathStep& step) const {
  if (step.node.value() >= state_.nodes.size()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no node ", step.node.value(), ", there are ", state_.nodes.size()));
  }
  if (!ValidBody(service_, step.event)) {
    return absl::FailedPreconditionError(absl::StrCat(KindName(step.event.kind), " at node ",
                                                      step.node.value(),
                                                      ": its body is not one of this service"));
  }
  const std::string what = Describe(service_, step.node, step.event);
  if (step.event.kind == EventKind::kDeliver) {
    const Message wanted{step.event.peer, step.node, step.event.body};
    if (FindDeliverable(wanted) < state_.in_flight.size()) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(what, ": not in flight, or the node is not up"));
  }
  const std::vector<Event> enabled =
      LocalEvents(service_, step.node, state_.nodes[step.node.index()]);
  if (std::find(enabled.begin(), enabled.end(), step.event) != enabled.end()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(what, ": not enabled in the node's state"));
}

absl::StatusOr<StepEffect> PlainSystem::Apply(const PathStep& step) {
  if (absl::Status status = Possible(step); !status.ok()) return status;
  NodeState& node = state_.nodes[step.node.index()];
  std::vector<uint32_t> offered;
  LocalOutcome outcome = RunLocal(service_, step.node, node, step.event, step.choices, offered);
  if (absl::Status status = SameChoices(step.choices, offered); !status.ok()) {
    return absl::FailedPreconditionError(absl::StrCat(Describe(service_, step.node, step.event),
                                                      ": ", std::string(status.message())));
  }
  // From here on nothing can fail: a step that is refused changes nothing.
  StepEffect effect;
  effect.choice_labels = std::move(outcome.choice_labels);
  if (step.event.kind == EventKind::kDeliver) {
    effect.sent_by = Take(FindDeliverable({step.event.peer, step.node, step.event.body}));
  }
  node = std::move(outcome.next);
  Cut(step);
  for (Send& send : outcome.sends) {
    Post({step.node, send.to, send.body}, {steps_, effect.sent.size()});
    effect.sent.push_back({step.node, send.to, std::move(send.body)});
  }
  ++steps_;
  return effect;
}

bool PlainSystem::Stuck() const {
  if (!state_.in_flight.empty()) return false;
  for (uint32_t n = 0; n < state_.nodes.size(); ++n) {
    // What a node does that is not in the cut, nobody knows.
    if (state_.nodes[n].status == NodeStatus::kAbsent) return false;
    if (!LocalEvents(service_, NodeId(n), state_.nodes[n]).empty()) return false;
  }
  return true;
}

std::vector<uint32_t> PlainSystem::Breakers(size_t invariant) const {
  if (service_.invariants()[invariant].when_stuck && !Stuck()) return {};
  return Breaking(service_, invariant, state_);
}

std::vector<std::string> PlainSystem::Violated() const {
  std::vector<std::string> names;
  for (const NodeState& node : state_.nodes) {
    if (node.status == NodeStatus::kFailed && names.empty()) names.push_back(kLocalAssertions);
  }
  const auto invariants = service_.invariants();
  for (size_t i = 0; i < invariants.size(); ++i) {
    if (!invariants[i].eventually && !Breakers(i).empty()) {
      names.push_back(invariants[i].name);
    }
  }
  return names;
}

std::vector<uint32_t> PlainSystem::Culprits(const std::string& invariant) const {
  for (uint32_t n = 0; n < state_.nodes.size(); ++n) {
    if (invariant == kLocalAssertions && state_.nodes[n].status == NodeStatus::kFailed) return {n};
  }
  const auto invariants = service_.invariants();
  for (size_t i = 0; i < invariants.size(); ++i) {
    if (invariants[i].name == invariant) return Breakers(i);
  }
  return {};
}

std::string PlainSystem::Explain(const std::string& invariant) const {
  const std::vector<uint32_t> nodes = Culprits(invariant);
  if (nodes.empty()) return "";
  if (invariant == kLocalAssertions) {
    return absl::StrCat("node ", nodes[0], ": ", state_.nodes[nodes[0]].body);
  }
  for (const InvariantInfo& info : service_.invariants()) {
    if (info.name != invariant) continue;
    return absl::StrCat(info.text, " Broken by node", nodes.size() > 1 ? "s " : " ",
                        absl::StrJoin(nodes, ", "), ".");
  }
  return "";
}

absl::StatusOr<std::vector<ReplayedStep>> Replay(const Service& service, const SystemCut& start,
                                                 const Path& path) {
  const absl::StatusOr<ValidCut> valid = ValidCut::Make(service, start);
  if (!valid.ok()) return valid.status();
  return Replay(service, *valid, path);
}

absl::StatusOr<std::vector<ReplayedStep>> Replay(const Service& service, ValidCut start,
                                                 const Path& path) {
  PlainSystem system(service, *start);
  std::vector<ReplayedStep> steps;
  for (const PathStep& step : path) {
    absl::StatusOr<StepEffect> effect = system.Apply(step);
    if (!effect.ok()) {
      return absl::FailedPreconditionError(absl::StrCat("step ", steps.size() + 1, " of ",
                                                        path.size(), ": ",
                                                        std::string(effect.status().message())));
    }
    steps.push_back({system.state(), *std::move(effect)});
  }
  return steps;
}

absl::StatusOr<Violation> Confirm(const Service& service, const SystemCut& start,
                                  const std::string& invariant, Path path) {
  const absl::StatusOr<ValidCut> valid = ValidCut::Make(service, start);
  if (!valid.ok()) return valid.status();
  return Confirm(service, *valid, invariant, std::move(path));
}

absl::StatusOr<Violation> Confirm(const Service& service, ValidCut start,
                                  const std::string& invariant, Path path) {
  absl::StatusOr<std::vector<ReplayedStep>> steps = Replay(service, start, path);
  if (!steps.ok()) return steps.status();
  const PlainSystem end(service, steps->empty() ? *start : steps->back().after);
  std::string text = end.Explain(invariant);
  if (text.empty()) {
    return absl::InternalError(
        absl::StrCat("the path of ", path.size(), " steps replays but does not break ", invariant));
  }
  return Violation{invariant, std::move(text), std::move(path)};
}

}  // namespace foretell::model
