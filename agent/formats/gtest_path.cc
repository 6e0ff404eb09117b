#include "foretell/agent/formats/gtest_path.h"

#include <cctype>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/formats/gtest_template.h"
#include "foretell/model/describe.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {
namespace {

std::string Literal(const std::string& text) {
  return absl::StrCat("\"", absl::CEscape(text), "\"");
}

// "OneHolder" of "one-holder": GoogleTest's names have no other characters.
std::string TestName(const std::string& text) {
  std::string name;
  bool upper = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = byte < 0x80 && std::isalnum(byte) != 0;
    if (kept) name += upper ? static_cast<char>(std::toupper(byte)) : c;
    upper = !kept;
  }
  return name;
}

// Ends in a full stop, since a backslash there would swallow the next line.
std::string Comment(const std::string& text) {
  std::string out;
  for (const std::string& line : Wrap(Printable(text, false), 90)) {
    absl::StrAppend(&out, "// ", line, line.ends_with("\\") ? "." : "", "\n");
  }
  return out;
}

// The place of `step` among the possible ones that look like it.
absl::StatusOr<size_t> PlaceOf(const model::Service& service, const model::PlainSystem& system,
                               const model::PathStep& step) {
  const std::string event = model::Describe(service, step.node, step.event);
  size_t place = 0;
  for (const model::PathStep& possible : system.Enabled()) {
    if (possible == step) return place;
    if (possible.choices == step.choices &&
        model::Describe(service, possible.node, possible.event) == event) {
      ++place;
    }
  }
  return absl::FailedPreconditionError(absl::StrCat(event, ": not possible"));
}

absl::StatusOr<std::string> StepsText(const BrokenPath& broken) {
  const model::Service& service = *broken.system.service;
  model::PlainSystem system(service, broken.start);
  std::string text;
  for (const model::PathStep& step : broken.path) {
    const auto place = PlaceOf(service, system, step);
    if (!place.ok()) return place.status();
    const auto applied = system.Apply(step);
    if (!applied.ok()) return applied.status();
    absl::StrAppend(&text, "    {", Literal(model::Describe(service, step.node, step.event)), ", {",
                    absl::StrJoin(step.choices, ", "), "}, ", *place, "},\n");
  }
  return text;
}

const char* StatusName(model::NodeStatus status) {
  switch (status) {
    case model::NodeStatus::kUp: return "kUp";
    case model::NodeStatus::kDown: return "kDown";
    case model::NodeStatus::kFailed: return "kFailed";
    case model::NodeStatus::kAbsent: break;
  }
  return "kAbsent";
}

// A cut that is none of the scenario's has to be written down.
std::string StartText(const model::SystemCut& start) {
  std::string text;
  for (const model::NodeState& node : start.nodes) {
    absl::StrAppend(&text, "  start.nodes.push_back({model::NodeStatus::", StatusName(node.status),
                    ", Faults({",
                    absl::StrJoin(node.faults, ", ",
                                  [](std::string* out, uint8_t count) {
                                    absl::StrAppend(out, static_cast<int>(count));
                                  }),
                    "}), Bytes(", Literal(absl::BytesToHexString(node.body)), ")});\n");
  }
  for (const model::Message& message : start.in_flight) {
    absl::StrAppend(&text, "  start.in_flight.push_back({model::NodeId(", message.from.value(),
                    "), model::NodeId(", message.to.value(), "), Bytes(",
                    Literal(absl::BytesToHexString(message.body)), ")});\n");
  }
  return absl::StrReplaceAll(kRecordedStart, {{"$CUT", text}});
}

std::string PluginText(const std::vector<std::string>& plugins) {
  const std::string list = absl::StrJoin(plugins, ", ", [](std::string* out, const auto& plugin) {
    absl::StrAppend(out, Literal(plugin));
  });
  return absl::StrReplaceAll(kPluginInclude, {{"$PLUGINS", list}});
}

}  // namespace

absl::StatusOr<std::string> WriteGtest(const BrokenPath& broken) {
  const auto steps = StepsText(broken);
  if (!steps.ok()) return steps.status();
  const bool builtin = broken.plugins.empty();
  const bool recorded = broken.start != broken.system.start;
  // All at once: texts may hold what looks like a word of the template.
  return absl::StrReplaceAll(
      kGtest, {{"$HEAD", Comment(absl::StrCat("A path on which ", broken.service, " broke ",
                                              broken.invariant, ": ", broken.why))},
               {"$BUILTIN", builtin ? kBuiltinInclude : ""},
               {"$PLUGIN", builtin ? "" : PluginText(broken.plugins)},
               {"$SERVICES", builtin ? kBuiltinServices : kPluginServices},
               {"$START", recorded ? StartText(broken.start) : kScenarioStart},
               {"$STEPS", *steps},
               {"$SUITE", absl::StrCat(TestName(broken.service), "Path")},
               {"$CASE", absl::StrCat("Keeps", TestName(broken.invariant))},
               {"$SERVICE", Literal(broken.service)},
               {"$SCENARIO", Literal(broken.scenario)},
               {"$BUG", Literal(broken.bug)}});
}

}  // namespace foretell::agent
