#include "foretell/agent/telemetry/signals/spans.h"

namespace foretell::agent {
namespace {

AttributeValue Number(uint64_t value) { return static_cast<int64_t>(value); }

// An attribute that says nothing is left out.
void AddText(Attributes& attributes, const char* name, const std::string& value) {
  if (!value.empty()) attributes.emplace_back(name, value);
}

SpanTree CheckpointSpan(const NodeRecord& node) {
  SpanTree span{.name = "foretell.checkpoint", .timing = node.timing, .client = true};
  span.attributes = {{"foretell.node.id", Number(node.node)},
                     {"foretell.status", NodeAnswerName(node.answer)},
                     {"foretell.checkpoint.size", Number(node.bytes)},
                     {"foretell.checkpoint.unchanged", node.unchanged}};
  if (node.answer != NodeAnswer::kOk) span.error = NodeAnswerName(node.answer);
  return span;
}

SpanTree CollectSpan(const RoundRecord& round) {
  SpanTree span{.name = "foretell.collect", .timing = *round.collect};
  if (round.snapshot) {
    span.attributes = {{"foretell.snapshot.size", Number(round.snapshot->bytes)},
                       {"foretell.snapshot.absent", Number(round.snapshot->absent)},
                       {"foretell.snapshot.exact", round.snapshot->exact}};
  }
  for (const NodeRecord& node : round.nodes) span.children.push_back(CheckpointSpan(node));
  return span;
}

SpanTree EngineSpan(const EngineRecord& run) {
  SpanTree span{.name = "foretell.engine", .timing = run.timing};
  span.attributes = {{"foretell.engine", run.engine},
                     {"foretell.outcome", OutcomeWord(run.outcome)},
                     {"foretell.complete", run.complete},
                     {"foretell.claims.rejected", Number(run.rejected.size())},
                     {"foretell.states", Number(run.states)},
                     {"foretell.transitions", Number(run.transitions)},
                     {"foretell.depth", Number(run.depth)},
                     {"foretell.handler.executions", Number(run.handler_executions)}};
  AddText(span.attributes, "foretell.space", run.space);
  span.error = run.error;
  if (const auto ratio = MemoHitRatio(run)) {
    span.attributes.emplace_back("foretell.memo.hit_ratio", *ratio);
  }
  return span;
}

SpanTree PredictSpan(const RoundRecord& round) {
  SpanTree span{.name = "foretell.predict", .timing = *round.predict};
  span.attributes = {{"foretell.predictions", Number(round.predictions)}};
  for (const EngineRecord& run : round.engines) span.children.push_back(EngineSpan(run));
  return span;
}

SpanTree LifeSpan(const LifeRecord& life, Timing judge) {
  SpanTree span{.name = "foretell.life", .timing = judge};
  span.attributes = {{"foretell.invariant", life.property},
                     {"foretell.life", life.life},
                     {"foretell.liveness.gap", std::chrono::duration<double>(life.gap).count()}};
  if (life.death_steps) {
    span.attributes.emplace_back("foretell.steps_away", Number(*life.death_steps));
    span.attributes.emplace_back("foretell.faults", Number(life.death_faults));
  }
  AddText(span.attributes, "foretell.text", life.text);
  return span;
}

SpanTree JudgeSpan(const RoundRecord& round) {
  SpanTree span{.name = "foretell.judge", .timing = *round.judge};
  for (const LifeRecord& life : round.lives) span.children.push_back(LifeSpan(life, *round.judge));
  return span;
}

Attributes VetoAttributes(const VetoEvent& event) {
  Attributes attributes = {{"foretell.node.id", Number(event.node)}};
  AddText(attributes, "foretell.decision.id", event.decision);
  AddText(attributes, "foretell.invariant", event.invariant);
  AddText(attributes, "foretell.mode", snapshot::ModeName(event.mode));
  AddText(attributes, "foretell.filter.kind", snapshot::FilterKindName(event.kind));
  return attributes;
}

}  // namespace

std::optional<double> MemoHitRatio(const EngineRecord& run) {
  if (run.transitions == 0) return std::nullopt;
  // Audits run a handler again, so there can be more executions than transitions.
  if (run.handler_executions >= run.transitions) return 0.0;
  return static_cast<double>(run.transitions - run.handler_executions) /
         static_cast<double>(run.transitions);
}

SpanTree RoundSpans(const RoundRecord& round) {
  SpanTree root{.name = "foretell.round",
                .timing = {.offset = {}, .duration = round.duration},
                .error = round.error};
  root.attributes = {{"foretell.round.number", Number(round.number)},
                     {"foretell.outcome", RoundOutcomeName(round.outcome)},
                     {"foretell.predictions", Number(round.predictions)},
                     {"foretell.vetoes.active", Number(round.filters)},
                     {"foretell.killed", round.killed}};
  if (round.collect) root.children.push_back(CollectSpan(round));
  if (round.judge) root.children.push_back(JudgeSpan(round));
  if (round.predict) root.children.push_back(PredictSpan(round));
  return root;
}

EventRecord ViolationRecord(const ViolationEvent& event) {
  EventRecord record{.name = ViolationEventName(event.happened),
                     .severity = EventRecord::Severity::kError,
                     .body = event.text};
  AddText(record.attributes, "foretell.invariant", event.invariant);
  AddText(record.attributes, "foretell.engine", event.engine);
  AddText(record.attributes, "foretell.mode", snapshot::ModeName(event.mode));
  record.attributes.emplace_back("foretell.steps_away", Number(event.steps_away));
  if (event.node) record.attributes.emplace_back("foretell.node.id", Number(*event.node));
  AddText(record.attributes, "foretell.decision.id", event.decision);
  AddText(record.attributes, "foretell.bundle.path", event.bundle);
  AddText(record.attributes, "foretell.verdict", event.verdict);
  if (!event.verdict.empty()) {
    record.attributes.emplace_back("foretell.faults", Number(event.faults));
  }
  AddText(record.attributes, "foretell.cure", event.cure);
  AddText(record.attributes, "foretell.assumption", event.assumption);
  AddText(record.attributes, "foretell.values", event.values);
  return record;
}

EventRecord ViolationResolvedRecord(const ResolvedEvent& event) {
  EventRecord record{.name = "foretell.violation.resolved",
                     .severity = EventRecord::Severity::kInfo,
                     .body = event.text};
  AddText(record.attributes, "foretell.invariant", event.invariant);
  record.attributes.emplace_back("foretell.since", Number(event.since));
  record.attributes.emplace_back("foretell.until", Number(event.until));
  AddText(record.attributes, "foretell.verdict", event.verdict);
  return record;
}

EventRecord VetoAppliedRecord(const VetoEvent& event) {
  EventRecord record{.name = "foretell.veto.applied",
                     .severity = EventRecord::Severity::kWarn,
                     .body = event.text,
                     .attributes = VetoAttributes(event)};
  record.attributes.emplace_back("foretell.veto.lease",
                                 std::chrono::duration<double>(event.lease).count());
  return record;
}

EventRecord VetoExpiredRecord(const VetoEvent& event) {
  EventRecord record{.name = "foretell.veto.expired",
                     .severity = EventRecord::Severity::kInfo,
                     .body = event.text,
                     .attributes = VetoAttributes(event)};
  if (event.end) AddText(record.attributes, "foretell.reason", VetoEndName(*event.end));
  return record;
}

EventRecord SnapshotRejectedRecord(const RejectedSnapshotEvent& event) {
  EventRecord record{.name = "foretell.snapshot.rejected",
                     .severity = EventRecord::Severity::kWarn,
                     .body = event.text};
  record.attributes.emplace_back("foretell.snapshot.number", Number(event.snapshot));
  AddText(record.attributes, "foretell.reason", SnapshotFaultName(event.fault));
  return record;
}

}  // namespace foretell::agent
