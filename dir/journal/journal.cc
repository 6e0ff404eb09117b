#include "foretell/dir/journal/journal.h"

#include <algorithm>

#include "foretell/model/typed/fields.h"

namespace foretell::dir {
namespace {

struct SignatureRecord {
  uint64_t high = 0;
  uint64_t low = 0;
  FORETELL_FIELDS(high, low)
};

struct StepRecord {
  uint32_t node = 0;
  uint8_t kind = 0;
  uint32_t peer = 0;
  std::string body;
  uint32_t outcome = 0;
  SignatureRecord received;
  std::vector<uint32_t> past;
  FORETELL_FIELDS(node, kind, peer, body, outcome, received, past)
};

struct InterfaceTransitionRecord {
  SignatureRecord signature;
  uint32_t position = 0;
  FORETELL_FIELDS(signature, position)
};

struct BehaviourRecord {
  SignatureRecord signature;
  std::vector<InterfaceTransitionRecord> transitions;
  std::vector<StepRecord> trace;
  uint64_t count = 0;
  FORETELL_FIELDS(signature, transitions, trace, count)
};

struct ResultRecord {
  uint32_t component = 0;
  SignatureRecord environment;
  std::vector<BehaviourRecord> traces;
  FORETELL_FIELDS(component, environment, traces)
};

SignatureRecord ToRecord(const Signature& signature) { return {signature.high, signature.low}; }
Signature FromRecord(const SignatureRecord& record) { return {record.high, record.low}; }

StepRecord ToRecord(const TraceStep& step, const EventNumbers& event_numbers) {
  const EventNumbers::Entry entry = event_numbers.At(step.number);
  StepRecord record{entry.node.value(),
                    static_cast<uint8_t>(entry.event.kind),
                    entry.event.peer.value(),
                    entry.event.body,
                    step.outcome,
                    ToRecord(step.received),
                    {}};
  step.past.ForEach(
      [&](size_t position) { record.past.push_back(static_cast<uint32_t>(position)); });
  return record;
}

BehaviourRecord ToRecord(const Behaviour& behaviour, uint64_t count,
                         const EventNumbers& event_numbers) {
  BehaviourRecord record;
  record.signature = ToRecord(behaviour.signature);
  for (const Behaviour::InterfaceTransition& transition : behaviour.transitions) {
    record.transitions.push_back({ToRecord(transition.signature), transition.position});
  }
  for (const TraceStep& step : behaviour.trace)
    record.trace.push_back(ToRecord(step, event_numbers));
  record.count = count;
  return record;
}

bool FromRecord(const StepRecord& record, size_t position, uint32_t node_count,
                EventNumbers& event_numbers, TraceStep& step) {
  const bool known = record.node < node_count && record.peer < node_count &&
                     record.kind <= static_cast<uint8_t>(model::EventKind::kLast);
  const bool earlier = std::all_of(record.past.begin(), record.past.end(),
                                   [&](uint32_t past) { return past < position; });
  if (!known || !earlier) return false;
  const auto kind = static_cast<model::EventKind>(record.kind);
  const model::Event event{kind, model::NodeId(record.peer), record.body};
  step.number = event_numbers.Number({model::NodeId(record.node), event});
  step.outcome = record.outcome;
  step.received = FromRecord(record.received);
  for (const uint32_t past : record.past) step.past.Set(past);
  return true;
}

bool FromRecord(const BehaviourRecord& record, uint32_t node_count, EventNumbers& event_numbers,
                Behaviour& behaviour) {
  behaviour.signature = FromRecord(record.signature);
  for (const StepRecord& step : record.trace) {
    const size_t position = behaviour.trace.size();
    behaviour.trace.emplace_back();
    if (!FromRecord(step, position, node_count, event_numbers, behaviour.trace.back()))
      return false;
  }
  for (const InterfaceTransitionRecord& transition : record.transitions) {
    if (transition.position >= behaviour.trace.size()) return false;
    behaviour.transitions.push_back({FromRecord(transition.signature), transition.position});
  }
  return true;
}

}  // namespace

std::string EncodeResult(const UnitResult& result, const EventNumbers& event_numbers) {
  ResultRecord record{result.component.value(), ToRecord(result.environment), {}};
  for (const auto& [behaviour, count] : result.traces) {
    record.traces.push_back(ToRecord(behaviour, count, event_numbers));
  }
  return model::Encode(record);
}

absl::StatusOr<UnitResult> DecodeResult(const std::string& bytes, const Components& components,
                                        EventNumbers& event_numbers) {
  const auto record = model::Decode<ResultRecord>(bytes);
  if (!record || record->component >= components.count()) {
    return absl::InvalidArgumentError("not the result of a unit of work");
  }
  UnitResult result{ComponentId(record->component), FromRecord(record->environment), {}};
  for (const BehaviourRecord& traces : record->traces) {
    result.traces.emplace_back(Behaviour(), traces.count);
    if (!FromRecord(traces, components.node_count(), event_numbers, result.traces.back().first)) {
      return absl::InvalidArgumentError("a trace that is none");
    }
  }
  return result;
}

}  // namespace foretell::dir
