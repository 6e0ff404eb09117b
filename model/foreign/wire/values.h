#pragma once

// What requests and replies consist of, in the types of model/.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/family.h"
#include "foretell/model/foreign/wire/frame.h"
#include "foretell/model/service.h"

namespace foretell::model::foreign {

// A family, as it describes itself.
struct FamilyRecord {
  Named named;
  std::string version;
  std::vector<Named> scenarios;
  std::vector<Named> bugs;
  std::vector<Parameter> parameters;
  std::string live_scenario;
  bool one_thread = false;
  bool has_judge = false;
};

// A system, as the service that opened it describes it.
struct SystemRecord {
  struct Node {
    FaultBudget faults;
    std::string role;
  };
  std::vector<Node> nodes;
  Network network;
  std::vector<InvariantInfo> invariants;
  std::vector<Named> goals;
  std::vector<std::string> message_kinds;
  std::vector<std::string> action_kinds;
  std::vector<EventKind> fault_handlers;
  std::vector<std::string> auxiliary;
  bool has_auxiliary = false;
  bool notices_breaks = true;
  bool has_timers = true;
  std::string components;
  std::optional<SystemCut> start;
};

void WriteEvent(Writer& out, const Event& event);
void WriteCut(Writer& out, const SystemCut& cut);
// The arguments of Service::Run.
void WriteRun(Writer& out, uint32_t system, NodeId node, const std::string& state,
              std::span<const Event> events, std::span<const uint32_t> choices);

// Whole replies: what they return means something only if `in` is still ok.
std::vector<FamilyRecord> ReadFamilies(Reader& in);
// `refused` becomes the words of a service that does not want to open the system.
SystemRecord ReadSystem(Reader& in, std::string& refused);
// `choices` are those of the request.
HandlerResult ReadResult(Reader& in, size_t node_count, std::span<const uint32_t> choices);
std::vector<std::string> ReadBlobs(Reader& in, const char* what);
std::optional<std::string> ReadOptional(Reader& in, const char* what);
std::vector<Field> ReadFields(Reader& in, std::string& line);
ActionTiming ReadTiming(Reader& in);
std::vector<Imagined> ReadImagined(Reader& in, size_t node_count);

}  // namespace foretell::model::foreign
