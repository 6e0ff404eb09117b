#include "foretell/search/fairness/lasso_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/plain/local_step.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {
namespace {

using model::Event;
using model::EventKind;
using model::Fairness;
using model::Message;
using model::NodeId;
using model::PathStep;
using model::SystemCut;

absl::Status Wrong(const std::string& what) {
  return absl::InternalError(absl::StrCat("a fair cycle does not stand its check: ", what));
}

// An event at a node, or the head of a stream, whatever it is.
using Label = std::pair<NodeId, Event>;

// One round, in the plain semantics.
class Round {
 public:
  explicit Round(const LassoClaim& claim)
      : claim_(claim),
        streams_(claim.service.network().kind == model::NetworkKind::kStreams),
        lossy_(claim.fairness == Fairness::kFairLoss && !streams_) {}

  absl::Status Check() {
    if (claim_.fairness == Fairness::kNone) return Wrong("nothing is assumed");
    if (claim_.cycle_from >= claim_.path.size()) return Wrong("it has no steps");
    model::PlainSystem system(claim_.service, claim_.start);
    for (size_t i = 0; i < claim_.path.size(); ++i) {
      if (i >= claim_.cycle_from) {
        if (absl::Status status = Look(system, claim_.path[i]); !status.ok()) return status;
      }
      const auto effect = system.Apply(claim_.path[i]);
      if (!effect.ok()) return effect.status();
      if (i >= claim_.cycle_from) sent_.insert(effect->sent.begin(), effect->sent.end());
    }
    cuts_.push_back(system.Canonical());
    if (absl::Status status = CheckClosed(); !status.ok()) return status;
    if (absl::Status status = CheckEvents(); !status.ok()) return status;
    return CheckOutcomes();
  }

 private:
  // Before a step of the round.
  absl::Status Look(const model::PlainSystem& system, const PathStep& step) {
    if (claim_.holds(system.state())) return Wrong("the predicate holds in it");
    const model::NodeState& node = system.state().nodes[step.node.index()];
    const auto outcomes = CountedOutcomes(step.node, node, step.event);
    if (!outcomes.contains(step.choices)) {
      return Wrong(absl::StrCat(model::Describe(claim_.service, step.node, step.event),
                                " cannot be counted on"));
    }
    cuts_.push_back(system.Canonical());
    taken_.insert(LabelOf({step.node, step.event}));
    wanted_[{step.node, step.event}].insert(outcomes.begin(), outcomes.end());
    seen_[{step.node, step.event}].insert(step.choices);
    return absl::OkStatus();
  }

  std::set<std::vector<uint32_t>> CountedOutcomes(NodeId node, const model::NodeState& state,
                                                  const Event& event) const {
    std::set<std::vector<uint32_t>> counted;
    const std::vector<Event> local = LocalEvents(claim_.service, node, state);
    const bool possible = event.kind == EventKind::kDeliver
                              ? AcceptsMessages(state)
                              : std::find(local.begin(), local.end(), event) != local.end();
    if (!possible || !CountsOn(claim_.count_on, HelpOf(claim_.service, event))) return counted;
    for (const model::LocalOutcome& outcome : RunAllChoices(claim_.service, node, state, event)) {
      if (outcome.weight > 0) counted.insert(outcome.choices);
    }
    return counted;
  }

  Label LabelOf(Label label) const {
    if (streams_ && label.second.kind == EventKind::kDeliver) label.second.body.clear();
    return label;
  }

  // What can be counted on to happen before step `at` of the round, in later rounds, too.
  std::set<Label> Possible(size_t at) const {
    std::set<Label> possible;
    const SystemCut& cut = cuts_[at];
    for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
      std::vector<Event> events = LocalEvents(claim_.service, NodeId(n), cut.nodes[n]);
      std::vector<Message> in_flight = cut.in_flight;
      in_flight.insert(in_flight.end(), surplus_.begin(), surplus_.end());
      std::set<NodeId> heads;
      for (const Message& message : in_flight) {
        if (message.to != NodeId(n)) continue;
        // On a stream the first that is listed is the head.
        if (streams_ && !heads.insert(message.from).second) continue;
        events.push_back({EventKind::kDeliver, message.from, message.body});
      }
      for (const Event& event : events) {
        if (CountedOutcomes(NodeId(n), cut.nodes[n], event).empty()) continue;
        possible.insert(LabelOf({NodeId(n), event}));
      }
    }
    return possible;
  }

  absl::Status CheckClosed() {
    const SystemCut& begin = cuts_.front();
    const SystemCut& end = cuts_.back();
    if (begin.nodes != end.nodes) return Wrong("a node is not as it was before");
    if (streams_) {
      return begin.in_flight == end.in_flight ? absl::OkStatus()
                                              : Wrong("a stream is not as it was before");
    }
    if (!std::includes(end.in_flight.begin(), end.in_flight.end(), begin.in_flight.begin(),
                       begin.in_flight.end())) {
      return Wrong("fewer messages are in flight than before");
    }
    std::set_difference(end.in_flight.begin(), end.in_flight.end(), begin.in_flight.begin(),
                        begin.in_flight.end(), std::back_inserter(surplus_));
    return absl::OkStatus();
  }

  absl::Status CheckEvents() const {
    std::map<Label, size_t> asked;
    for (size_t at = 0; at + 1 < cuts_.size(); ++at) {
      for (const Label& label : Possible(at)) ++asked[label];
    }
    for (const auto& [label, times] : asked) {
      const bool arrival = label.second.kind == EventKind::kDeliver;
      const bool owed = claim_.fairness == Fairness::kStrong || times + 1 == cuts_.size();
      if ((lossy_ && arrival) || !owed || taken_.contains(label)) continue;
      return Wrong(absl::StrCat(model::Describe(claim_.service, label.first, label.second),
                                " is put off for ever"));
    }
    for (const Message& message : sent_) {
      const Label label{message.to, {EventKind::kDeliver, message.from, message.body}};
      if (!lossy_ || taken_.contains(label)) continue;
      return Wrong(absl::StrCat(model::Describe(claim_.service, label.first, label.second),
                                " never happens, although it is sent in each round"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckOutcomes() const {
    for (const auto& [label, outcomes] : wanted_) {
      if (outcomes == seen_.at(label)) continue;
      return Wrong(absl::StrCat(model::Describe(claim_.service, label.first, label.second),
                                " could turn out in another way, and never does"));
    }
    return absl::OkStatus();
  }

  const LassoClaim& claim_;
  const bool streams_;
  const bool lossy_;
  std::vector<SystemCut> cuts_;   // Before each step of the round, and at its end.
  std::vector<Message> surplus_;  // What each round leaves more of.
  std::set<Label> taken_;
  std::set<Message> sent_;
  using Outcomes = std::map<Label, std::set<std::vector<uint32_t>>>;
  Outcomes wanted_;
  Outcomes seen_;
};

}  // namespace

absl::Status CheckLasso(const LassoClaim& claim) { return Round(claim).Check(); }

}  // namespace foretell::search
