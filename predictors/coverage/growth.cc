#include "foretell/predictors/coverage/growth.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"

namespace foretell::predictors {
namespace {

constexpr size_t kSamplesLog = 3;     // Of a window, 8 states are looked at.
constexpr size_t kFieldsMax = 256;    // Of a node; what comes later is not followed.
constexpr size_t kRisingWindows = 4;  // Growth is three rises in a row ...
constexpr size_t kFirstWindow = 4;    // ... after the first 16 runs, in which everything is new.

// A field as it is measured: its name, and its number or its length.
struct Measure {
  std::string name;
  std::optional<uint64_t> number;
  uint64_t length = 0;
};

// Elements of a container have fields of their own, side by side: "log[2].term". They count as one
// field "log", whose length is their number.
std::vector<Measure> MeasuresOf(const std::vector<model::Field>& fields) {
  std::vector<Measure> measures;
  std::string element;
  for (const model::Field& field : fields) {
    const size_t open = field.name.find('[');
    if (open == std::string::npos) {
      uint64_t number = 0;
      Measure measure{field.name, std::nullopt, field.value.size()};
      if (absl::SimpleAtoi(field.value, &number)) measure.number = number;
      measures.push_back(std::move(measure));
      continue;
    }
    const std::string name = field.name.substr(0, open);
    const std::string own = field.name.substr(0, field.name.find(']', open));
    if (measures.empty() || measures.back().name != name) measures.push_back({name, {}, 0});
    if (std::exchange(element, own) != own) ++measures.back().length;
  }
  return measures;
}

// The largest values of the windows up to `last`, if they rose in the last of them and doubled.
std::vector<uint64_t> Rising(std::span<const uint64_t> largest, size_t last) {
  if (last < kFirstWindow + kRisingWindows - 1) return {};
  const auto part = largest.subspan(last + 1 - kRisingWindows, kRisingWindows);
  const bool rises = std::is_sorted(part.begin(), part.end(), std::less_equal<>()) &&
                     part.back() >= 2 * std::max<uint64_t>(part.front(), 1);
  if (!rises) return {};
  return {part.begin() + 1, part.end()};
}

}  // namespace

GrowthWatch::GrowthWatch(const model::Service& service)
    : service_(service), nodes_(service.node_count()) {}

void GrowthWatch::See(model::NodeId node, const std::string& state) {
  const uint64_t number = nodes_[node.index()].seen.fetch_add(1, std::memory_order_relaxed) + 1;
  const auto window = static_cast<size_t>(std::bit_width(number)) - 1;
  const uint64_t stride = uint64_t{1} << (window < kSamplesLog ? 0 : window - kSamplesLog);
  if (window >= kFirstWindow && number % stride == 0) Sample(node, state, window);
}

void GrowthWatch::Sample(model::NodeId node, const std::string& state, size_t window) {
  const std::vector<Measure> measures = MeasuresOf(service_.RenderState(node, state));
  Node& kept = nodes_[node.index()];
  model::MutexLock lock(kept.mutex);
  for (const Measure& measure : measures) {
    auto found = kept.fields.find(measure.name);
    if (found == kept.fields.end()) {
      if (kept.fields.size() >= kFieldsMax) continue;
      found = kept.fields.emplace(measure.name, Track{}).first;
    }
    Track& track = found->second;
    track.number = track.number && measure.number.has_value();
    track.value[window] = std::max(track.value[window], measure.number.value_or(0));
    track.length[window] = std::max(track.length[window], measure.length);
  }
}

std::vector<Growth> GrowthWatch::Growing() const {
  std::vector<Growth> growing;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    // The last window that is over: one that has just begun says nothing.
    const auto width = static_cast<size_t>(std::bit_width(node.seen.load()));
    if (width < 2) continue;
    model::MutexLock lock(node.mutex);
    for (const auto& [name, track] : node.fields) {
      std::vector<uint64_t> largest = Rising(track.number ? track.value : track.length, width - 2);
      if (!largest.empty()) growing.push_back({n, name, std::move(largest)});
    }
  }
  return growing;
}

}  // namespace foretell::predictors
