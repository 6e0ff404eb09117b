#include "foretell/predictors/coverage/coverage_service.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"
#include "foretell/model/process/protocol.h"

namespace foretell::predictors {
namespace {

using model::EventKind;

constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

bool CanAct(const model::NodeState& node) { return !model::IsSilent(node); }

// Predicates that are asked about what no engine asks about may throw. Whoever watches must not
// change what is found.
template <class Look>
void Quietly(const Look& look) {
  try {
    look();
  } catch (const std::exception&) {
  }
}

// An audit runs two events on one live state, and then the second alone on the state between them,
// whether or not it can happen there (model/engine/audit.cc). This is the second event of an audit
// in this thread that has not been run alone yet.
struct Audited {
  const model::Service* service = nullptr;
  model::NodeId node;
  model::Event second;
};
thread_local Audited audited;

// True iff this run is part of an audit, and says nothing about what can happen.
bool IsAudit(const model::Service* service, model::NodeId node,
             std::span<const model::Event> events) {
  if (events.size() > 1) {
    audited = {service, node, events.back()};
    return true;
  }
  if (audited.service == nullptr) return false;
  const Audited expected = std::exchange(audited, {});
  return expected.service == service && expected.node == node && expected.second == events[0];
}

}  // namespace

CoverageService::CoverageService(const model::Service& inner, const model::SystemCut& start,
                                 const std::set<std::string>& distrusted)
    : ForwardingService(inner),
      infos_(inner.invariants().begin(), inner.invariants().end()),
      message_kinds_(inner.message_kinds().size()),
      action_kinds_(inner.action_kinds().size()),
      node_runs_(inner.node_count()),
      contributed_(infos_.size()),
      reached_(inner.goals().size()),
      program_(model::process::IsProgram(inner)),
      growth_(inner) {
  AddRows(EventKind::kDeliver, inner.message_kinds(), "any message");
  AddRows(EventKind::kAction, inner.action_kinds(), "any action");
  AddFaults(start);
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (distrusted.contains(infos_[i].name)) infos_[i].stable = false;
    probe_of_.push_back(nullptr);
    if (!infos_[i].stable || infos_[i].eventually || infos_[i].when_stuck) continue;
    probes_.push_back(std::make_unique<StableProbe>(inner, i));
    probe_of_.back() = probes_.back().get();
  }
  Quietly([&] { SeeStart(start); });
}

void CoverageService::AddRows(EventKind kind, const std::vector<std::string>& names,
                              const char* any) {
  const bool told_apart = !names.empty();
  for (const std::string& name : told_apart ? names : std::vector<std::string>{any}) {
    rows_.push_back(std::make_unique<Row>());
    rows_.back()->kind = kind;
    rows_.back()->name = name;
    rows_.back()->expected = told_apart && !program_;
  }
}

// What the budgets leave room for: a fault that may not happen is not missed.
void CoverageService::AddFaults(const model::SystemCut& start) {
  std::set<EventKind> possible;
  const bool streams = network().kind == model::NetworkKind::kStreams;
  for (uint32_t n = 0; n < start.nodes.size(); ++n) {
    const model::NodeState& node = start.nodes[n];
    node_expected_.push_back(CanAct(node));
    if (!CanAct(node)) continue;
    if (node.status == model::NodeStatus::kDown) possible.insert(EventKind::kRestart);
    for (const model::FaultKindInfo& fault : model::kFaults) {
      if (node.faults[fault.kind] >= faults(NodeId(n))[fault.kind]) continue;
      if (model::IsOfStream(fault.event) && (!streams || node_count() < 2)) continue;
      possible.insert(fault.event);
      if (fault.stops) possible.insert(EventKind::kRestart);
    }
  }
  const std::vector<EventKind> handled = inner_.fault_handlers();
  for (const model::EventKindInfo& info : model::kEventKinds) {
    if (info.kind == EventKind::kDeliver || info.kind == EventKind::kAction) continue;
    AddRows(info.kind, {info.name}, "");
    rows_.back()->expected = possible.contains(info.kind);
    rows_.back()->handled = std::find(handled.begin(), handled.end(), info.kind) != handled.end();
  }
  AddBarred(possible, handled);
}

// Somebody wrote a handler, and might think that it was checked.
void CoverageService::AddBarred(const std::set<EventKind>& possible,
                                const std::vector<EventKind>& handled) {
  for (const model::FaultKindInfo& fault : model::kFaults) {
    std::vector<std::string> hooks;
    for (const EventKind kind : handled) {
      const bool leads = kind == fault.event || (fault.stops && kind == EventKind::kRestart);
      if (leads && !possible.contains(kind)) hooks.push_back(HookName(kind));
    }
    if (hooks.empty()) continue;
    const bool no_stream = model::IsOfStream(fault.event) &&
                           (network().kind != model::NetworkKind::kStreams || node_count() < 2);
    barred_.push_back(absl::StrCat(
        absl::StrJoin(hooks, " and "), hooks.size() == 1 ? " never runs: " : " never run: ",
        no_stream
            ? "there are no streams (network)"
            : absl::StrCat("no ", fault.one, " is allowed (faults, or --", fault.used, " 1)")));
  }
}

void CoverageService::SeeStart(const model::SystemCut& start) {
  for (const model::Message& message : start.in_flight) {
    if (Row* const row = RowOfMessage(message.body)) row->sent.fetch_add(1, kRelaxed);
  }
  for (uint32_t n = 0; n < start.nodes.size(); ++n) {
    const model::NodeState& node = start.nodes[n];
    if (!CanAct(node)) continue;
    for (const auto& probe : probes_) probe->See(NodeId(n), node.body);
    if (node.status == model::NodeStatus::kUp) SeeGoals(NodeId(n), node.body);
  }
}

CoverageService::Row* CoverageService::RowOfMessage(const std::string& body) const {
  if (message_kinds_ == 0) return rows_[0].get();
  const size_t kind = inner_.MessageKind(body);
  return kind < message_kinds_ ? rows_[kind].get() : nullptr;
}

CoverageService::Row* CoverageService::RowOf(const Event& event) const {
  const size_t actions = std::max<size_t>(message_kinds_, 1);
  const size_t others = actions + std::max<size_t>(action_kinds_, 1);
  if (event.kind == EventKind::kDeliver) return RowOfMessage(event.body);
  if (event.kind == EventKind::kAction) {
    const size_t kind = action_kinds_ == 0 ? 0 : inner_.ActionKind(event.body);
    return actions + kind < others ? rows_[actions + kind].get() : nullptr;
  }
  for (size_t i = others; i < rows_.size(); ++i) {
    if (rows_[i]->kind == event.kind) return rows_[i].get();
  }
  return nullptr;
}

model::HandlerResult CoverageService::Run(NodeId node, const std::string& state,
                                          std::span<const Event> events,
                                          std::span<const uint32_t> choices) const {
  model::HandlerResult result = inner_.Run(node, state, events, choices);
  if (IsAudit(this, node, events)) return result;
  Quietly([&] { Watch(node, state, events[0], result); });
  return result;
}

void CoverageService::Watch(NodeId node, const std::string& before, const Event& event,
                            const model::HandlerResult& result) const {
  node_runs_[node.index()].fetch_add(1, kRelaxed);
  if (Row* const row = RowOf(event)) row->runs.fetch_add(1, kRelaxed);
  if (!result.failure.empty()) return;  // The node is gone, with all that it was about to do.
  for (const model::Send& send : result.sends) {
    if (Row* const row = RowOfMessage(send.body)) row->sent.fetch_add(1, kRelaxed);
  }
  const bool changed = result.state != before;
  if (!changed && !result.sends.empty() && event.kind == EventKind::kAction) {
    SeePiling(node, event);
  }
  if (changed || event.kind == EventKind::kRestart) {
    if (event.kind != EventKind::kCrash) SeeGoals(node, result.state);
  }
  if (!changed) return;
  for (const auto& probe : probes_) probe->Change(node, before, event, result.state);
  growth_.See(node, result.state);
}

void CoverageService::SeeGoals(NodeId node, const std::string& state) const {
  for (size_t i = 0; i < reached_.size(); ++i) {
    std::atomic<bool>& reached = reached_[i].set;
    if (!reached.load(kRelaxed) && inner_.Reached(i, node, state)) reached.store(true, kRelaxed);
  }
}

// One example is enough.
void CoverageService::SeePiling(NodeId node, const Event& event) const {
  if (piles_.set.exchange(true, kRelaxed)) return;
  std::string text = model::Describe(inner_, node, event);
  model::MutexLock lock(mutex_);
  piling_.push_back(std::move(text));
}

CoverageService::Key CoverageService::Project(size_t invariant, NodeId node,
                                              const std::string& state) const {
  StableProbe* const probe = probe_of_[invariant];
  Key key = probe != nullptr ? probe->Project(node, state) : inner_.Project(invariant, node, state);
  if (key) contributed_[invariant].set.store(true, kRelaxed);
  return key;
}

Coverage CoverageService::Collect() const {
  Coverage coverage;
  coverage.program = program_;
  for (const auto& row : rows_) {
    coverage.handlers.push_back({row->kind, row->name, row->expected, row->runs.load(kRelaxed),
                                 row->sent.load(kRelaxed), row->handled});
  }
  for (uint32_t n = 0; n < node_count(); ++n) {
    coverage.nodes.push_back({Role(NodeId(n)), node_expected_[n], node_runs_[n].load(kRelaxed)});
  }
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].eventually) {
      coverage.undecided.push_back(infos_[i].name);
      continue;
    }
    // Of a program whose processes all come to their end, nobody contributes to no-deadlock.
    const bool seen = (program_ && infos_[i].when_stuck) || contributed_[i].set.load(kRelaxed);
    coverage.invariants.push_back({infos_[i].name, seen});
  }
  for (size_t i = 0; i < reached_.size(); ++i) {
    coverage.goals.push_back({goals()[i].name, reached_[i].set.load(kRelaxed)});
  }
  coverage.barred = barred_;
  coverage.growing = growth_.Growing();
  {
    model::MutexLock lock(mutex_);
    coverage.piling = piling_;
  }
  for (const auto& probe : probes_) {
    if (auto doubt = probe->doubt()) coverage.doubts.push_back(*std::move(doubt));
  }
  return coverage;
}

}  // namespace foretell::predictors
