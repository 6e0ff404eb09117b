#include "foretell/model/foreign/wire/values.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/wire/foretell_service.h"

namespace foretell::model::foreign {
namespace {

// Enough for anything that can be searched, and little enough to be allocated on a stranger's word.
constexpr uint32_t kNodesMax = 4096;
constexpr uint32_t kFaultsEnd = 256;
constexpr uint64_t kWaysMax = 1 << 16;

static_assert(static_cast<int>(EventKind::kDeliver) == FORETELL_DELIVER);
static_assert(static_cast<int>(EventKind::kAction) == FORETELL_ACTION);
static_assert(static_cast<int>(EventKind::kCrash) == FORETELL_CRASH);
static_assert(static_cast<int>(EventKind::kRestart) == FORETELL_RESTART);
static_assert(static_cast<int>(EventKind::kBreak) == FORETELL_BREAK);

std::string ReadText(Reader& in, const char* what) { return std::string(in.Blob(what)); }

Named ReadNamed(Reader& in, const char* what) {
  Named named;
  named.name = ReadText(in, what);
  named.text = ReadText(in, what);
  return named;
}

Parameter ReadParameter(Reader& in) {
  Parameter parameter{.named = ReadNamed(in, "parameter")};
  parameter.value = in.I64("parameter value");
  parameter.min = in.I64("parameter min");
  parameter.max = in.I64("parameter max");
  return parameter;
}

void ReadFamilyTag(uint32_t tag, Reader& in, FamilyRecord& family) {
  switch (tag) {
    case FORETELL_FAMILY_NAME: family.named.name = in.Rest(); break;
    case FORETELL_FAMILY_TEXT: family.named.text = in.Rest(); break;
    case FORETELL_FAMILY_VERSION: family.version = in.Rest(); break;
    case FORETELL_FAMILY_SCENARIO: family.scenarios.push_back(ReadNamed(in, "scenario")); break;
    case FORETELL_FAMILY_BUG: family.bugs.push_back(ReadNamed(in, "bug")); break;
    case FORETELL_FAMILY_PARAMETER: family.parameters.push_back(ReadParameter(in)); break;
    case FORETELL_FAMILY_LIVE: family.live_scenario = in.Rest(); break;
    case FORETELL_FAMILY_FLAGS: {
      const uint32_t flags = in.U32("flags");
      family.one_thread = (flags & FORETELL_ONE_THREAD) != 0;
      family.has_judge = (flags & FORETELL_HAS_JUDGE) != 0;
      break;
    }
    default: in.Rest();
  }
}

// Reads the value of each tag with `read(tag, value)`; what is wrong in a value is wrong in `in`.
template <class Read>
void ReadRecord(Reader& in, const char* what, Read&& read) {
  in.Record(what, [&](uint32_t tag, std::string_view bytes) {
    Reader value(bytes);
    read(tag, value);
    value.End();
    if (!value.ok()) in.Fail(absl::StrCat(what, ", tag ", tag, ": ", value.error()));
  });
}

FamilyRecord ReadFamily(Reader& in) {
  FamilyRecord family;
  ReadRecord(in, "family", [&](uint32_t tag, Reader& value) { ReadFamilyTag(tag, value, family); });
  if (in.ok() && (family.named.name.empty() || family.scenarios.empty())) {
    in.Fail(absl::StrCat("family '", family.named.name, "' without a name or without a scenario"));
  }
  return family;
}

InvariantInfo ReadInvariant(Reader& in) {
  InvariantInfo info;
  info.name = ReadText(in, "invariant");
  info.text = ReadText(in, "invariant");
  info.scope = static_cast<Scope>(in.Below(3, "scope"));
  const uint32_t flags = in.Below(8, "invariant flags");
  info.stable = (flags & FORETELL_STABLE) != 0;
  info.eventually = (flags & FORETELL_EVENTUALLY) != 0;
  info.when_stuck = (flags & FORETELL_WHEN_STUCK) != 0;
  return info;
}

SystemRecord::Node ReadNode(Reader& in) {
  SystemRecord::Node node;
  node.faults.crashes_max = static_cast<uint8_t>(in.Below(kFaultsEnd, "crashes_max"));
  node.faults.breaks_max = static_cast<uint8_t>(in.Below(kFaultsEnd, "breaks_max"));
  node.role = ReadText(in, "role");
  return node;
}

void ReadSystemFlags(Reader& in, SystemRecord& system) {
  const uint32_t flags = in.U32("flags");
  system.has_auxiliary = (flags & FORETELL_HAS_AUXILIARY) != 0;
  system.notices_breaks = (flags & FORETELL_IGNORES_BREAKS) == 0;
  system.has_timers = (flags & FORETELL_NO_TIMERS) == 0;
}

NodeState ReadNodeState(Reader& in) {
  NodeState node;
  node.status =
      static_cast<NodeStatus>(in.Below(static_cast<uint32_t>(NodeStatus::kLast) + 1, "status"));
  for (const FaultKindInfo& fault : kFaults) {
    node.faults[fault.kind] = static_cast<uint8_t>(in.Below(kFaultsEnd, fault.used));
  }
  node.body = ReadText(in, "state");
  return node;
}

SystemCut ReadCut(Reader& in) {
  SystemCut cut;
  in.List("nodes of a cut", [&] { cut.nodes.push_back(ReadNodeState(in)); });
  const auto nodes = static_cast<uint32_t>(cut.nodes.size());
  in.List("messages of a cut", [&] {
    const NodeId from(in.Below(nodes, "from"));
    const NodeId to(in.Below(nodes, "to"));
    cut.in_flight.push_back({from, to, ReadText(in, "message")});
  });
  return cut;
}

// What of a system's description is read before the number of its nodes is known.
struct Draft {
  uint32_t nodes = 0;
  std::string refused;
};

void ReadSystemTag(uint32_t tag, Reader& in, SystemRecord& system, Draft& draft) {
  switch (tag) {
    case FORETELL_SYSTEM_NODES: draft.nodes = in.Below(kNodesMax + 1, "nodes"); break;
    case FORETELL_SYSTEM_NETWORK:
      system.network.kind = static_cast<NetworkKind>(in.Below(2, "network"));
      system.network.duplicates_max = in.U32("duplicates_max");
      break;
    case FORETELL_SYSTEM_NODE: system.nodes.push_back(ReadNode(in)); break;
    case FORETELL_SYSTEM_INVARIANT: system.invariants.push_back(ReadInvariant(in)); break;
    case FORETELL_SYSTEM_GOAL: system.goals.push_back(ReadNamed(in, "goal")); break;
    case FORETELL_SYSTEM_MESSAGE_KIND: system.message_kinds.push_back(in.Rest()); break;
    case FORETELL_SYSTEM_ACTION_KIND: system.action_kinds.push_back(in.Rest()); break;
    case FORETELL_SYSTEM_FAULT_HANDLER:
      system.fault_handlers.push_back(static_cast<EventKind>(
          in.Below(static_cast<uint32_t>(EventKind::kLast) + 1, "fault handler")));
      break;
    case FORETELL_SYSTEM_AUXILIARY: system.auxiliary.push_back(in.Rest()); break;
    case FORETELL_SYSTEM_FLAGS: ReadSystemFlags(in, system); break;
    case FORETELL_SYSTEM_COMPONENTS: system.components = in.Rest(); break;
    case FORETELL_SYSTEM_START: system.start = ReadCut(in); break;
    case FORETELL_SYSTEM_REFUSED: draft.refused = in.Rest(); break;
    default: in.Rest();
  }
}

// What a service offers to choose from must be possible, and agree with what it offered before.
void CheckChoices(Reader& in, const HandlerResult& result, std::span<const uint32_t> choices) {
  uint64_t ways = 1;
  for (size_t i = 0; i < result.choices_offered.size() && in.ok(); ++i) {
    const uint32_t offered = result.choices_offered[i];
    const uint32_t chosen = i < choices.size() ? choices[i] : 0;
    if (chosen >= offered) {
      in.Fail(
          absl::StrCat("choice ", i, ": one of ", offered, " offered, ", chosen, " was chosen"));
    }
    ways *= offered;
    if (ways > kWaysMax) {
      in.Fail(absl::StrCat("one run offers ", ways, " ways to go on, at most ", kWaysMax));
    }
  }
  const auto fits = [&](size_t count, const char* what) {
    if (!in.ok() || count == 0 || count == result.choices_offered.size()) return;
    in.Fail(absl::StrCat(count, " ", what, " for ", result.choices_offered.size(), " choices"));
  };
  fits(result.choice_labels.size(), "labels");
  fits(result.choice_weights.size(), "weights");
}

std::vector<uint32_t> ReadNumbers(Reader& in, const char* what) {
  std::vector<uint32_t> numbers;
  in.List(what, [&] { numbers.push_back(in.U32(what)); });
  return numbers;
}

}  // namespace

void WriteEvent(Writer& out, const Event& event) {
  out.U32(static_cast<uint32_t>(event.kind));
  out.U32(event.peer.value());
  out.Blob(event.body);
}

void WriteCut(Writer& out, const SystemCut& cut) {
  out.List(cut.nodes, [&](const NodeState& node) {
    out.U32(static_cast<uint32_t>(node.status));
    for (const uint8_t count : node.faults) out.U32(count);
    out.Blob(node.body);
  });
  out.List(cut.in_flight, [&](const Message& message) {
    out.U32(message.from.value());
    out.U32(message.to.value());
    out.Blob(message.body);
  });
}

void WriteRun(Writer& out, uint32_t system, NodeId node, const std::string& state,
              std::span<const Event> events, std::span<const uint32_t> choices) {
  out.U32(system);
  out.U32(node.value());
  out.Blob(state);
  out.List(events, [&](const Event& event) { WriteEvent(out, event); });
  out.List(choices, [&](uint32_t choice) { out.U32(choice); });
}

std::vector<FamilyRecord> ReadFamilies(Reader& in) {
  std::vector<FamilyRecord> families;
  const uint32_t abi = in.U32("version of the ABI");
  if (in.ok() && abi != FORETELL_SERVICE_ABI) {
    in.Fail(absl::StrCat("made for version ", abi, " of foretell_service.h, this foretell has ",
                         FORETELL_SERVICE_ABI));
  }
  in.List("families", [&] { families.push_back(ReadFamily(in)); });
  in.End();
  return families;
}

SystemRecord ReadSystem(Reader& in, std::string& refused) {
  SystemRecord system;
  Draft draft;
  ReadRecord(in, "system",
             [&](uint32_t tag, Reader& value) { ReadSystemTag(tag, value, system, draft); });
  in.End();
  refused = std::move(draft.refused);
  if (!refused.empty()) return system;
  if (in.ok() && (draft.nodes == 0 || system.nodes.size() > draft.nodes)) {
    in.Fail(absl::StrCat("a system of ", draft.nodes, " nodes, ", system.nodes.size(),
                         " of them described"));
  }
  system.nodes.resize(draft.nodes);
  if (system.start && in.ok() && system.start->nodes.size() != draft.nodes) {
    in.Fail(absl::StrCat("a start with ", system.start->nodes.size(), " nodes, the system has ",
                         draft.nodes));
  }
  return system;
}

HandlerResult ReadResult(Reader& in, size_t node_count, std::span<const uint32_t> choices) {
  HandlerResult result;
  result.state = ReadText(in, "state");
  in.List("sends", [&] {
    const uint32_t to = in.Below(static_cast<uint32_t>(node_count), "send to");
    result.sends.push_back({NodeId(to), ReadText(in, "message")});
  });
  result.choices_offered = ReadNumbers(in, "choices offered");
  result.choice_labels = ReadBlobs(in, "labels");
  result.choice_weights = ReadNumbers(in, "weights");
  result.failure = ReadText(in, "failure");
  result.restarted = ReadBlobs(in, "restarted");
  in.End();
  CheckChoices(in, result, choices);
  return result;
}

std::vector<std::string> ReadBlobs(Reader& in, const char* what) {
  std::vector<std::string> blobs;
  in.List(what, [&] { blobs.push_back(ReadText(in, what)); });
  return blobs;
}

std::optional<std::string> ReadOptional(Reader& in, const char* what) {
  const bool present = in.Bool("present");
  std::string blob = ReadText(in, what);
  return present ? std::optional(std::move(blob)) : std::nullopt;
}

std::vector<Field> ReadFields(Reader& in, std::string& line) {
  std::vector<Field> fields;
  line = ReadText(in, "line");
  in.List("fields", [&] {
    std::string name = ReadText(in, "field");
    fields.push_back({std::move(name), ReadText(in, "field")});
  });
  return fields;
}

ActionTiming ReadTiming(Reader& in) {
  constexpr uint64_t kLongest = 1'000'000'000'000;  // Milliseconds; more would overflow somewhere.
  const auto duration = [&](const char* what) {
    return std::chrono::milliseconds(std::min(in.U64(what), kLongest));
  };
  ActionTiming timing;
  timing.origin = static_cast<ActionTiming::Origin>(in.Below(2, "origin"));
  timing.delay = duration("delay");
  const bool has_spread = in.Bool("has spread");
  const auto spread = duration("spread");
  if (has_spread) timing.spread = spread;
  timing.vetoable = in.Bool("vetoable");
  timing.adverse = in.Bool("adverse");
  return timing;
}

std::vector<Imagined> ReadImagined(Reader& in, size_t node_count) {
  std::vector<Imagined> spaces;
  in.List("spaces", [&] {
    Imagined space;
    space.cut = ReadCut(in);
    space.focus = ReadCut(in);
    space.text = ReadText(in, "text");
    if (in.ok() &&
        (space.cut.nodes.size() != node_count || space.focus.nodes.size() != node_count)) {
      in.Fail(absl::StrCat("an imagined cut of ", space.cut.nodes.size(), " nodes, the system has ",
                           node_count));
    }
    spaces.push_back(std::move(space));
  });
  return spaces;
}

}  // namespace foretell::model::foreign
