#include "foretell/model/liveness/event_counts.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::model {
namespace {

constexpr const char* kTimer = "timer";
constexpr const char* kWords[] = {"deliver", kTimer, "call", "restart"};

std::string WithName(const std::string& word, const std::vector<std::string>& names, size_t index) {
  return index < names.size() ? absl::StrCat(word, " ", names[index]) : word;
}

bool IsName(const std::string& name) {
  const std::string word = name.substr(0, name.find(' '));
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

std::string CountedName(const Service& service, const Event& event) {
  if (event.kind == EventKind::kDeliver) {
    const auto names = service.message_kinds();
    return WithName("deliver", names, names.empty() ? 0 : service.MessageKind(event.body));
  }
  if (event.kind != EventKind::kAction) return KindName(event.kind);
  const auto names = service.action_kinds();
  const bool call = service.Timing(event.body).origin == ActionTiming::Origin::kCall;
  return WithName(call ? "call" : kTimer, names,
                  names.empty() ? 0 : service.ActionKind(event.body));
}

absl::Status ReadEventCounts(const std::string& text, EventCounts& counts) {
  size_t number = 0;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    ++number;
    if (line.empty() || line == ".") continue;
    const size_t space = line.rfind(' ');
    uint64_t count = 0;
    const bool good = space != std::string::npos && IsName(line.substr(0, space)) &&
                      absl::SimpleAtoi(line.substr(space + 1), &count);
    if (!good) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": '", line.substr(0, 64),
                       "' is no event and its count, like 'timer Retransmit 12'"));
    }
    uint64_t& sum = counts[line.substr(0, space)];
    sum += std::min(count, UINT64_MAX - sum);
  }
  return absl::OkStatus();
}

std::map<std::string, uint32_t> MeasuredWeights(const EventCounts& counts) {
  constexpr uint64_t kWeightMax = 64;
  uint64_t slowest = 0;
  uint64_t slowest_timer = 0;
  const auto keep_least = [](uint64_t count, uint64_t& least) {
    if (count > 0 && (least == 0 || count < least)) least = count;
  };
  for (const auto& [name, count] : counts) {
    keep_least(count, slowest);
    if (absl::StartsWith(name, kTimer)) keep_least(count, slowest_timer);
  }
  const uint64_t unit = slowest_timer > 0 ? slowest_timer : slowest;
  std::map<std::string, uint32_t> weights;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    weights[name] = static_cast<uint32_t>(std::clamp<uint64_t>(count / unit, 1, kWeightMax));
  }
  return weights;
}

}  // namespace foretell::model
