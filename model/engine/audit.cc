// The part of TransitionTable that catches services which are not what they claim: functions of
// state and event. Memoization is wrong for such a service, and so would be every verdict.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::model {
namespace {

// A coin that a handler tosses can fall the same way twice, but not that often.
constexpr size_t kReruns = 64;
constexpr const char* kOtherActions = "the same state enabled different actions";

// The node whose initial state is not always the same, for people; nothing if there is none.
std::optional<std::string> UnsteadyStart(const Service& service) {
  const uint32_t nodes = service.node_count();
  for (uint32_t n = 0; n < nodes; ++n) {
    const std::string first = service.InitialState(NodeId(n));
    for (size_t asked = 0; asked < 1 || asked < kReruns / nodes; ++asked) {
      if (service.InitialState(NodeId(n)) == first) continue;
      return absl::StrCat("the initial state of node ", n, " is not always the same",
                          kSomethingElse);
    }
  }
  return std::nullopt;
}

}  // namespace

void TransitionTable::Report(const Execution& execution, const std::string& what) {
  if (nondeterminism_) return;
  nondeterminism_ =
      absl::StrCat(Describe(service_, execution.node, EventOf(execution.event)), ": ", what);
}

void TransitionTable::Audit() {
  // An audit of capture may cost half of what the search did, and that much in any case: enough for
  // every pair of events of a small service.
  constexpr uint64_t kCaptureRuns = 16'384;
  const uint64_t runs_max = (kCaptureRuns + handler_executions_ / 2) / (remembered_.size() + 1);
  for (size_t i = 0; i < std::max(kReruns, remembered_.size()); ++i) {
    if (remembered_.empty() || nondeterminism_) break;
    AuditOne(remembered_[i % remembered_.size()], i < remembered_.size() ? runs_max : 0);
  }
  if (!nondeterminism_) AuditActions();
  if (!nondeterminism_) nondeterminism_ = UnsteadyStart(service_);
  if (!nondeterminism_ && !claimed_.empty()) AuditAuxiliary();
}

// A state in which nothing happened has no executions to run again; perhaps nothing happened only
// because nothing was offered when it was asked.
void TransitionTable::AuditActions() {
  constexpr size_t kStatesMax = 1024;  // Of a node.
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const size_t states = nodes_[n].local_events.size();
    const size_t stride = states / kStatesMax + 1;
    for (size_t s = 0; s < states; s += stride) {
      // At least twice: an answer may come every other time.
      for (size_t asked = 0; asked < 2 || asked < kReruns / states; ++asked) {
        if (SameActions(NodeId(n), StateId(static_cast<uint32_t>(s)))) continue;
        nondeterminism_ = absl::StrCat("Actions at node ", n, ": ", kOtherActions, kSomethingElse);
        return;
      }
    }
  }
}

// True iff `state` enables what it did when it was asked first, or was never asked.
bool TransitionTable::SameActions(NodeId node, StateId state) {
  const std::vector<Local>& known = nodes_[node.index()].local_events;
  if (state.index() >= known.size() || !known[state.index()].known) return true;
  std::vector<EventId> enabled;
  for (const Event& event : model::LocalEvents(service_, node, StateOf(node, state))) {
    enabled.push_back(InternEvent(node, event));
  }
  return std::ranges::equal(known[state.index()].events, enabled);
}

void TransitionTable::AuditPath(const SystemCut& start, const Path& path) {
  std::vector<std::optional<StateId>> at;
  for (uint32_t n = 0; n < start.nodes.size(); ++n) {
    at.push_back(InternState(NodeId(n), start.nodes[n]));
  }
  for (const PathStep& step : path) {
    std::optional<StateId>& state = at[step.node.index()];
    if (!state) continue;
    const Execution execution{step.node, *state, InternEvent(step.node, step.event)};
    const auto& steps = nodes_[step.node.index()].steps;
    const auto known = steps.find(PairKey(state->value(), execution.event.value()));
    state.reset();
    if (known == steps.end()) continue;
    AuditOne(execution, 0);
    if (nondeterminism_) return;
    for (const Step& taken : known->second) {
      if (std::ranges::equal(ChoicesOf(taken), step.choices)) state = taken.next;
    }
  }
}

void TransitionTable::AuditOne(const Execution& execution, uint64_t runs_max) {
  const auto& [node, state, event] = execution;
  // Twice in a row: what changes with every call could be in step with everything else.
  if (!SameActions(node, state) || !SameActions(node, state)) {
    return Report(execution, absl::StrCat(kOtherActions, kSomethingElse));
  }
  const std::span<const Step> before =
      nodes_[node.index()].steps.at(PairKey(state.value(), event.value()));
  const std::vector<LocalOutcome> again =
      RunAllChoices(service_, node, StateOf(node, state), EventOf(event));
  if (again.size() != before.size()) {
    return Report(execution, absl::StrCat("the same state and event had ", before.size(),
                                          " outcomes first and ", again.size(), " when run again",
                                          kSomethingElse));
  }
  for (size_t i = 0; i < again.size(); ++i) {
    if (InternState(node, again[i].next) != before[i].next) {
      return Report(execution, absl::StrCat("the same state and event led to two different states",
                                            kSomethingElse));
    }
    if (InternSends(node, again[i].sends) != before[i].sends) {
      return Report(execution, absl::StrCat("the same state and event sent different messages",
                                            kSomethingElse));
    }
  }
  const bool choice_free = before.size() == 1 && ChoicesOf(before[0]).empty();
  if (choice_free) AuditCapture(execution, before[0].next, runs_max);
}

}  // namespace foretell::model
