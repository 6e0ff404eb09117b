#include "foretell/agent/formats/sarif.h"

#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using Verdict = Judged::Verdict;

// Single braces stand for placeholders and `[text](target)` is a link (SARIF 3.11.5 and 3.11.6).
Json Message(const std::string& text) {
  return {{"text", absl::StrReplaceAll(text, {{"{", "{{"}, {"}", "}}"}, {"](", "] ("}})}};
}

// A path as the reference that a URI is: what has a meaning there is escaped.
std::string UriOf(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::strchr("-._~/", c) != nullptr);
    uri += plain ? std::string(1, c) : absl::StrFormat("%%%02X", byte);
  }
  return uri;
}

Json Location(const Findings& findings, const Lane& lane) {
  Json location;
  if (!findings.source.empty()) {
    location["physicalLocation"] = {{"artifactLocation", {{"uri", UriOf(findings.source)}}},
                                    {"region", {{"startLine", 1}}}};
  }
  const Json node = {{"name", lane.name},
                     {"fullyQualifiedName", absl::StrCat(findings.service, "/", lane.name)},
                     {"kind", "node"}};
  location["logicalLocations"] = Json::array({node});
  return location;
}

// The nodes because of which it is broken; where it has none, the service as a whole.
Json LocationsOf(const Findings& findings, const Judged& judged) {
  Json locations = Json::array();
  const size_t lanes = judged.picture == nullptr ? 0 : judged.picture->lanes.size();
  for (size_t i = 0; i < lanes; ++i) {
    const Lane& lane = judged.picture->lanes[i];
    if (lane.breaks) locations.push_back(Location(findings, lane));
  }
  if (locations.empty()) locations.push_back(Location(findings, {.name = "every node"}));
  return locations;
}

Json StepOf(const Findings& findings, const SpaceTime& picture, size_t index) {
  const Moment& moment = picture.moments[index];
  Json location = Location(findings, picture.lanes[moment.lane]);
  location["message"] = Message(StepLine(picture, index));
  Json state = Json::object();
  for (const Change& change : moment.changes) state[change.name] = Message(change.after);
  return {{"location", std::move(location)},
          {"kinds", Json::array({model::KindName(moment.kind)})},
          {"state", std::move(state)},
          {"executionOrder", index + 1},
          {"importance", index + 1 == picture.moments.size() ? "essential" : "important"}};
}

Json FlowOf(const Findings& findings, const SpaceTime& picture) {
  Json steps = Json::array();
  for (size_t i = 0; i < picture.moments.size(); ++i) {
    steps.push_back(StepOf(findings, picture, i));
  }
  const Json flow = {{"locations", std::move(steps)}};
  return {{"threadFlows", Json::array({flow})}};
}

Json ResultOf(const Findings& findings, size_t rule) {
  const Judged& judged = findings.judged[rule];
  Json result = {{"ruleId", judged.invariant},
                 {"ruleIndex", rule},
                 {"level", "error"},
                 {"message", Message(VerdictLine(judged))},
                 {"locations", LocationsOf(findings, judged)}};
  // A path without steps is no flow: a flow has at least one.
  if (judged.picture != nullptr && !judged.picture->moments.empty()) {
    result["codeFlows"] = Json::array({FlowOf(findings, *judged.picture)});
  }
  // The same trouble again, whatever its path: what readers compare runs by.
  result["partialFingerprints"] = {
      {"invariant/v1", absl::StrCat(findings.service, "/", findings.scenario, "/", findings.bug,
                                    "/", judged.invariant)}};
  return result;
}

Json InvocationOf(const Findings& findings) {
  Json notes = Json::array();
  const auto add = [&notes](const char* level, const std::string& text) {
    notes.push_back({{"level", level}, {"message", Message(text)}});
  };
  add(findings.complete ? "note" : "warning", findings.sentence);
  if (!findings.covered.empty()) add("note", findings.covered);
  for (const Judged& judged : findings.judged) {
    if (judged.verdict == Verdict::kUndecided) add("warning", VerdictLine(judged));
  }
  for (const std::string& note : findings.notes) add("note", note);
  return {{"executionSuccessful", true},
          {"commandLine", findings.command},
          {"toolExecutionNotifications", std::move(notes)}};
}

}  // namespace

std::string WriteSarif(const Findings& findings) {
  Json rules = Json::array();
  Json results = Json::array();
  for (size_t i = 0; i < findings.judged.size(); ++i) {
    const Judged& judged = findings.judged[i];
    rules.push_back({{"id", judged.invariant}, {"shortDescription", Message(judged.text)}});
    if (judged.verdict == Verdict::kBroken) results.push_back(ResultOf(findings, i));
  }
  const Json driver = {{"name", "foretell"}, {"version", kVersion}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({InvocationOf(findings)})},
                    {"results", std::move(results)}};
  const Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Json::array({run})}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
