#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::json;
using model::EventKind;
using model::NodeId;

// Reads members of one object and remembers the first thing that is wrong; after that it hands
// out empty values. The caller looks at the status once, at the end.
class Reader {
 public:
  explicit Reader(absl::Status& status) : status_(status) {}

  const Json& Member(const Json& object, const std::string& name, Json::value_t type) {
    static const Json kNothing;
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (!object.is_object() || found == object.end()) {
      Complain(absl::StrCat("'", name, "' is missing"));
      return kNothing;
    }
    if (found->type() != type) {
      Complain(absl::StrCat("'", name, "' is a ", found->type_name(), ", expected ",
                            Json(type).type_name()));
      return kNothing;
    }
    return *found;
  }
  std::string Text(const Json& object, const std::string& name) {
    const Json& value = Member(object, name, Json::value_t::string);
    return value.is_string() ? value.get<std::string>() : "";
  }
  uint32_t Number(const Json& object, const std::string& name, uint32_t most = UINT32_MAX) {
    const Json& value = Member(object, name, Json::value_t::number_unsigned);
    return value.is_number_unsigned() ? Limited(value, name, most) : 0;
  }
  std::string Bytes(const Json& object, const std::string& name) {
    const std::string hex = Text(object, name);
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2) {
      const int high = Digit(hex[i]);
      const int low = i + 1 < hex.size() ? Digit(hex[i + 1]) : -1;
      if (high < 0 || low < 0) {
        Complain(absl::StrCat("'", name, "' is not a string of hexadecimal bytes"));
        return "";
      }
      bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
  }
  uint32_t Limited(const Json& value, const std::string& name, uint32_t most) {
    const auto number = value.get<uint64_t>();
    if (number > most) {
      Complain(absl::StrCat("'", name, "' is ", number, ", at most ", most, " is possible"));
      return 0;
    }
    return static_cast<uint32_t>(number);
  }
  void Complain(const std::string& what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(what);
  }

 private:
  static int Digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  }
  absl::Status& status_;
};

// One of the names that `name_of` gives to the values up to `last`.
template <class E>
E ReadName(Reader& reader, const Json& object, const std::string& member, E last,
           const char* (*name_of)(E)) {
  const std::string text = reader.Text(object, member);
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (text == name_of(static_cast<E>(i))) return static_cast<E>(i);
  }
  reader.Complain(absl::StrCat("'", member, "' is '", text, "', which means nothing here"));
  return E{};
}

const char* StatusName(model::NodeStatus status) {
  constexpr const char* kNames[] = {"up", "down", "failed", "absent"};
  return kNames[static_cast<size_t>(status)];
}

model::PathStep ReadStep(Reader& reader, const Json& json) {
  model::PathStep step;
  step.node = NodeId(reader.Number(json, "node"));
  step.event.kind = ReadName(reader, json, "kind", EventKind::kLast, &model::KindName);
  if (model::HasPeer(step.event.kind)) {
    step.event.peer = NodeId(reader.Number(json, "peer"));
  }
  step.event.body = reader.Bytes(json, "body");
  for (const Json& choice : reader.Member(json, "choices", Json::value_t::array)) {
    if (!choice.is_number_unsigned()) {
      reader.Complain("'choices' holds something that is no number");
      break;
    }
    step.choices.push_back(reader.Limited(choice, "choices", UINT32_MAX));
  }
  return step;
}

// What debugging needs of it: the critical step or the cycle, the twin, and other ways to die.
std::shared_ptr<const model::Death> ReadDeath(Reader& reader, const Json& json) {
  auto death = std::make_shared<model::Death>();
  death->critical_step = reader.Number(json, "critical_step");
  const bool cycle = json.contains("cycle_from") && !json["cycle_from"].is_null();
  if (cycle) death->cycle_from = reader.Number(json, "cycle_from");
  death->by_loss = reader.Member(json, "by_loss", Json::value_t::boolean) == Json(true);
  for (const Json& step : reader.Member(json, "twin", Json::value_t::array)) {
    death->twin.push_back(ReadStep(reader, step));
  }
  for (const Json& cure : reader.Member(json, "cure", Json::value_t::array)) {
    model::Cure& read = death->cures.emplace_back();
    read.text = reader.Text(cure, "text");
    if (cure.is_object() && cure.contains("helps") && cure["helps"].is_null()) continue;
    const bool helps = reader.Member(cure, "helps", Json::value_t::boolean) == Json(true);
    read.effect = helps ? model::Cure::Effect::kHelps : model::Cure::Effect::kNone;
    if (helps) read.steps = reader.Number(cure, "steps");
  }
  if (!json.contains("kinds")) return death;
  for (const Json& kind : reader.Member(json, "kinds", Json::value_t::array)) {
    if (!kind.is_object() || !kind.contains("steps")) continue;  // Of an older version.
    model::CriticalKind& read = death->kinds.emplace_back();
    read.node = NodeId(reader.Number(kind, "node"));
    read.event = reader.Text(kind, "event");
    for (const Json& step : reader.Member(kind, "steps", Json::value_t::array)) {
      read.path.push_back(ReadStep(reader, step));
    }
  }
  return death;
}

model::Violation ReadViolation(Reader& reader, const Json& json) {
  model::Violation violation;
  violation.invariant = reader.Text(json, "invariant");
  violation.text = reader.Text(json, "text");
  for (const Json& step : reader.Member(json, "steps", Json::value_t::array)) {
    violation.path.push_back(ReadStep(reader, step));
  }
  if (json.is_object() && json.contains("critical_step")) violation.death = ReadDeath(reader, json);
  return violation;
}

model::SystemCut ReadStart(Reader& reader, const Json& json) {
  model::SystemCut start;
  for (const Json& node : reader.Member(json, "nodes", Json::value_t::array)) {
    model::NodeState& state = start.nodes.emplace_back();
    state.status = ReadName(reader, node, "status", model::NodeStatus::kLast, &StatusName);
    for (const model::FaultKindInfo& fault : model::kFaults) {
      state.faults[fault.kind] = static_cast<uint8_t>(reader.Number(node, fault.used, UINT8_MAX));
    }
    state.body = reader.Bytes(node, "state");
  }
  for (const Json& message : reader.Member(json, "in_flight", Json::value_t::array)) {
    start.in_flight.push_back({NodeId(reader.Number(message, "from")),
                               NodeId(reader.Number(message, "to")),
                               reader.Bytes(message, "body")});
  }
  return start;
}

}  // namespace

absl::StatusOr<CheckRecord> FromJson(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError("not JSON, or cut short");
  if (!json.is_object()) return absl::InvalidArgumentError("not a report of `foretell check`");
  absl::Status status;
  Reader reader(status);
  CheckRecord record;
  record.service = reader.Text(json, "service");
  record.scenario = reader.Text(json, "scenario");
  if (!json.contains("bug") || !json["bug"].is_null()) record.bug = reader.Text(json, "bug");
  record.engine = reader.Text(json, "engine");
  record.report.outcome =
      ReadName(reader, json, "outcome", model::Outcome::kNondeterminism, &model::OutcomeName);
  for (const Json& violation : reader.Member(json, "violations", Json::value_t::array)) {
    record.report.violations.push_back(ReadViolation(reader, violation));
  }
  record.start = ReadStart(reader, reader.Member(json, "start", Json::value_t::object));
  if (!status.ok()) return status;
  return record;
}

}  // namespace foretell::agent
