#include "foretell/agent/debug/saved_path.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "foretell/agent/check/check_record.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKey = "path";

}  // namespace

absl::StatusOr<std::string> SavedPath(const Subject& subject, const Execution& execution) {
  const model::Service& service = *subject.selection.system.service;
  const model::PlainSystem end(service, execution.At(execution.steps()));
  const std::vector<std::string> broken = end.Violated();
  const std::string invariant = broken.empty() ? "" : broken.front();
  const auto picture = execution.Picture(invariant, subject.title);
  if (!picture.ok()) return picture.status();
  CheckRecord record{.service = subject.selection.service,
                     .scenario = subject.selection.scenario,
                     .bug = subject.selection.bug,
                     .engine = kDebugEngine,
                     .start = execution.At(0)};
  record.report.outcome = broken.empty() ? model::Outcome::kNone : model::Outcome::kViolation;
  record.report.violations = {
      {.invariant = invariant, .text = end.Explain(invariant), .path = execution.path()}};
  std::string text = ToJson(record, {*picture});
  if (!broken.empty()) return text;
  Json json = Json::parse(text);
  json[kKey] = {{"steps", std::move(json["violations"][0]["steps"])}};
  json["violations"] = Json::array();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The steps are read as those of a violation: there is one reader of steps.
absl::StatusOr<model::Path> ReadSavedPath(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains(kKey)) return model::Path{};
  Json path = json[kKey];
  if (!path.is_object()) {
    return absl::InvalidArgumentError("'path' is no object with the key 'steps'");
  }
  path["invariant"] = "";
  path["text"] = "";
  json["violations"] = Json::array({std::move(path)});
  auto record = FromJson(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!record.ok()) return record.status();
  return std::move(record->report.violations.front().path);
}

}  // namespace foretell::agent
