// OTLP/JSON, as OpenTelemetry's protocol maps it: ids in hexadecimal, 64-bit numbers as text.

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/debug/exports/spans.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/model/hash.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

struct ValueToJson {
  Json operator()(const std::string& text) const { return {{"stringValue", text}}; }
  Json operator()(int64_t number) const { return {{"intValue", std::to_string(number)}}; }
  Json operator()(double number) const { return {{"doubleValue", number}}; }
  Json operator()(bool truth) const { return {{"boolValue", truth}}; }
};

Json AttributesToJson(const Attributes& attributes) {
  Json json = Json::array();
  for (const auto& [name, value] : attributes) {
    json.push_back({{"key", name}, {"value", std::visit(ValueToJson(), value)}});
  }
  return json;
}

// The same execution is the same trace.
std::string TraceId(const ExportInput& input) {
  std::string all = input.title;
  const Execution& execution = *input.executions.front().execution;
  for (size_t step = 1; step <= execution.steps(); ++step) {
    absl::StrAppend(&all, "\n", execution.StepAt(step).node.value(), " ",
                    EventText(execution.MomentOf(step)), ChoicesText(execution.MomentOf(step)));
  }
  const model::Hash128 hash = model::HashBytes128(all);
  return absl::StrFormat("%016x%016x", hash.high, hash.low);
}

// Flattens a tree; spans are numbered as they come.
class Flattened {
 public:
  Flattened(std::string trace, std::chrono::nanoseconds start)
      : trace_(std::move(trace)), start_(start) {}

  void Add(const SpanTree& span, const std::string& parent) {
    const std::string id = absl::StrFormat("%016x", ++spans_);
    Json json = {{"traceId", trace_}, {"spanId", id}};
    if (!parent.empty()) json["parentSpanId"] = parent;
    json["name"] = span.name;
    json["kind"] = 1;  // Internal.
    json["startTimeUnixNano"] = Time(span.timing.offset);
    json["endTimeUnixNano"] = Time(span.timing.offset + span.timing.duration);
    json["attributes"] = AttributesToJson(span.attributes);
    json["status"] = Json::object();
    if (!span.error.empty()) json["status"] = {{"message", span.error}, {"code", 2}};
    json_.push_back(std::move(json));
    for (const SpanTree& child : span.children) Add(child, id);
  }
  Json Take() { return std::move(json_); }

 private:
  std::string Time(std::chrono::nanoseconds offset) const {
    return std::to_string((start_ + offset).count());
  }
  const std::string trace_;
  const std::chrono::nanoseconds start_;
  uint64_t spans_ = 0;
  Json json_ = Json::array();
};

}  // namespace

std::string WriteOtlp(const ExportInput& input) {
  Flattened spans(TraceId(input), input.start.time_since_epoch());
  spans.Add(HypotheticalSpans(input), "");
  const Json resource = {{"attributes", AttributesToJson({{"service.name", kHypotheticalService},
                                                          {"service.version", kVersion},
                                                          {"foretell.hypothetical", true}})}};
  const Json scope = {{"scope", {{"name", "foretell.debug"}, {"version", kVersion}}},
                      {"spans", spans.Take()}};
  const Json data = {{"resourceSpans", Json::array({{{"resource", resource},
                                                     {"scopeSpans", Json::array({scope})}}})}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
