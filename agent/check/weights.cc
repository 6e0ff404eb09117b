#include "foretell/agent/check/weights.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/console/files.h"
#include "foretell/model/liveness/event_counts.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

constexpr uint64_t kWeightMax = 1'000'000;

absl::Status ReadPart(const std::string& part, model::Weights& weights) {
  const std::vector<std::pair<std::string, uint32_t*>> kinds = {{"call", &weights.call},
                                                                {"deliver", &weights.deliver},
                                                                {"restart", &weights.restart},
                                                                {"timer", &weights.timer}};
  const std::pair<std::string, std::string> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const auto& row) { return row.first == sides.first; });
  if (kind == kinds.end()) {
    std::vector<std::string> names;
    for (const auto& [name, weight] : kinds) names.push_back(name);
    return model::UnknownName("kind of event", sides.first, names);
  }
  const bool digits = !sides.second.empty() && sides.second.size() < 8 &&
                      sides.second.find_first_not_of("0123456789") == std::string::npos;
  const uint64_t weight = digits ? std::stoull(sides.second) : kWeightMax + 1;
  if (weight > kWeightMax) {
    return absl::InvalidArgumentError(absl::StrCat("the weight of ", sides.first, " is '",
                                                   sides.second, "', write a number from 0 to ",
                                                   kWeightMax));
  }
  *kind->second = static_cast<uint32_t>(weight);
  return absl::OkStatus();
}

absl::Status ReadCounted(const std::string& file, model::Weights& weights) {
  const auto text = ReadFile(file);
  if (!text.ok()) return text.status();
  model::EventCounts counts;
  if (absl::Status read = model::ReadEventCounts(*text, counts); !read.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(file, ": ", std::string(read.message())));
  }
  weights.measured = model::MeasuredWeights(counts);
  if (!weights.measured.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(file, ": has no event that ever happened"));
}

}  // namespace

absl::Status ReadWeights(const std::string& value, model::Weights& weights) {
  if (value.find('=') == std::string::npos) return ReadCounted(value, weights);
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(value, ','))) {
    if (absl::Status read = ReadPart(part, weights); !read.ok()) return read;
  }
  if (weights.call + weights.deliver + weights.restart + weights.timer > 0) return absl::OkStatus();
  return absl::InvalidArgumentError("all weights are 0, so that a walk would never take a step");
}

}  // namespace foretell::agent
