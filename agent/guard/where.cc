#include "foretell/agent/guard/where.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"

namespace foretell::agent {
namespace {

std::string HandlerText(const Running& running) {
  std::vector<std::string> events;
  for (const model::Event& event : running.events) {
    events.push_back(model::Describe(*running.service, running.node, event));
  }
  return absl::StrCat("the handler of ", absl::StrJoin(events, " and then of "));
}

}  // namespace

std::string Where(const Running& running) {
  using enum Running::What;
  const std::string at = absl::StrCat(" at node ", running.node.value());
  switch (running.what) {
    case kMake: return "making the system (Initial, or the events that the scenario begins with)";
    case kInitial: return absl::StrCat("Initial", at);
    case kActions: return absl::StrCat("Actions", at);
    case kHandler: return HandlerText(running);
    case kProjection:
      return absl::StrCat("the projection of invariant ",
                          running.service->invariants()[running.index].name, at);
    case kInvariant:
      return absl::StrCat("invariant ", running.service->invariants()[running.index].name);
    case kGoal: return absl::StrCat("goal ", running.service->goals()[running.index].name, at);
    case kDriver: return "the test driver (Imagine)";
    case kOther: break;
  }
  return "a text or a test of bytes (rendering, Valid)";
}

std::string StateText(const Running& running) {
  if (running.service == nullptr || running.state == nullptr) return "";
  const std::vector<model::Field> fields =
      running.service->RenderState(running.node, *running.state);
  if (fields.empty()) return "(no fields)";
  return absl::StrJoin(fields, ", ", [](std::string* out, const model::Field& field) {
    absl::StrAppend(out, field.name, "=", field.value);
  });
}

}  // namespace foretell::agent
