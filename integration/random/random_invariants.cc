#include "foretell/integration/random/random_invariants.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/random/random_service.h"

namespace foretell::integration {
namespace {

constexpr size_t kShallow = 4;  // Steps.
constexpr size_t kNever = SIZE_MAX;

using Combination = std::vector<int8_t>;
// Which keys appear together, and after how many steps at the earliest.
using FirstMet = std::map<Combination, size_t>;

// Calls `visit` with the keys of every node, every pair, or the system.
template <class Visit>
void ForEachCombination(const InvariantSpec& invariant, const Sample& sample, Visit visit) {
  Combination keys;
  for (const std::optional<RandomState>& node : sample.nodes) {
    keys.push_back(node ? KeyOf(invariant, *node) : kNoKey);
  }
  const auto has_key = [&](uint32_t n) { return keys[n] != kNoKey; };
  model::AnyNodeSet(invariant.scope, static_cast<uint32_t>(keys.size()), has_key,
                    [&](std::span<const uint32_t> nodes) {
                      Combination of_set;
                      for (const uint32_t n : nodes) of_set.push_back(keys[n]);
                      visit(of_set);
                      return false;
                    });
}

FirstMet FirstMetOf(const InvariantSpec& invariant, const Survey& survey) {
  FirstMet first;
  for (const Sample& sample : survey.samples) {
    ForEachCombination(invariant, sample, [&](const Combination& keys) {
      first.emplace(keys, sample.depth);  // Samples come by rising depth: the first stays.
    });
  }
  return first;
}

size_t DepthOf(const FirstMet& first, const Combination& combination) {
  size_t depth = kNever;
  for (const auto& [keys, met] : first) {
    if (Fits(combination, keys)) depth = std::min(depth, met);
  }
  return depth;
}

class InvariantDrawer {
 public:
  InvariantDrawer(RandomSource& random, const Survey& survey, const RandomServiceSpec& spec)
      : random_(random), survey_(survey), spec_(spec) {}

  // Not every projection shows something of the wanted depth: draws another then, and in the end
  // takes less.
  InvariantSpec Draw(const std::string& name) {
    Range range = DrawRange();
    InvariantSpec invariant;
    for (int attempt = 0; attempt < 15 && invariant.bad.empty(); ++attempt) {
      if (attempt == 9) range = {kShallow - 1, kNever - 1};
      if (attempt == 13) range = {1, kNever - 1};
      invariant = DrawProjection();
      DrawBad(range, invariant);
    }
    invariant.name = name;
    invariant.stable = IsStable(spec_, invariant);
    invariant.eventually = random_.Chance(4);
    return invariant;
  }

 private:
  struct Range {
    size_t depth_min;
    size_t depth_max;
  };

  Range DrawRange() {
    const uint8_t wish = random_.Below(20);
    if (wish < 1) return {0, 0};
    if (wish < 3) return {2, kShallow};
    if (wish < 12) return {kShallow + 1, kNever - 1};
    return {kNever, kNever};
  }

  InvariantSpec DrawProjection() {
    InvariantSpec invariant;
    const uint8_t scope = random_.Below(10);
    invariant.scope = scope < 2   ? model::Scope::kNode
                      : scope < 7 ? model::Scope::kPair
                                  : model::Scope::kSystem;
    invariant.of_chosen = random_.Chance(45);
    absent_counts_ = invariant.scope == model::Scope::kSystem && random_.Chance(15);
    // Several values have one key, some have none.
    key_count_ = random_.Between(2, 5);
    for (int i = 0; i < 7; ++i) {
      invariant.keys.push_back(random_.Chance(80) ? std::optional(random_.Below(key_count_))
                                                  : std::nullopt);
    }
    return invariant;
  }

  void DrawBad(Range range, InvariantSpec& invariant) {
    const FirstMet first = FirstMetOf(invariant, survey_);
    const uint8_t count = random_.Between(1, 2);
    for (int attempt = 0; attempt < 12 && invariant.bad.size() < count; ++attempt) {
      std::optional<Combination> combination =
          range.depth_max == kNever
              ? FromNothing(invariant)
              : FromSurvey(range, first, invariant.scope == model::Scope::kSystem);
      if (!combination) continue;
      const size_t depth = DepthOf(first, *combination);
      if (depth < range.depth_min || depth > range.depth_max) continue;
      invariant.bad.push_back(*std::move(combination));
    }
  }

  std::optional<Combination> FromSurvey(Range range, const FirstMet& first, bool system) {
    std::vector<FirstMet::const_pointer> fit;
    for (const auto& entry : first) {
      if (entry.second >= range.depth_min && entry.second <= range.depth_max) fit.push_back(&entry);
    }
    if (fit.empty()) return std::nullopt;
    // The deepest of a few: most combinations are met early.
    const auto* best = fit[random_.Next() % fit.size()];
    for (int i = 0; i < 4; ++i) {
      const auto* other = fit[random_.Next() % fit.size()];
      if (other->second > best->second) best = other;
    }
    Combination combination = best->first;
    if (system) Blur(combination);
    return combination;
  }

  std::optional<Combination> FromNothing(const InvariantSpec& invariant) {
    const bool system = invariant.scope == model::Scope::kSystem;
    const size_t size = system                                   ? spec_.nodes.size()
                        : invariant.scope == model::Scope::kPair ? 2
                                                                 : 1;
    Combination combination(size);
    for (int8_t& entry : combination) {
      entry =
          system && random_.Chance(25) ? kNoKey : static_cast<int8_t>(random_.Below(key_count_));
    }
    if (system) Blur(combination);
    return combination;
  }

  // Makes some entries of a system's combination irrelevant.
  void Blur(Combination& combination) {
    for (int8_t& entry : combination) {
      if (random_.Chance(20) || (entry == kNoKey && !absent_counts_)) entry = kAnyKey;
    }
  }

  RandomSource& random_;
  const Survey& survey_;
  const RandomServiceSpec& spec_;
  uint8_t key_count_ = 1;
  bool absent_counts_ = false;
};

}  // namespace

void DrawInvariants(RandomSource& random, const Survey& survey, RandomServiceSpec& spec) {
  InvariantDrawer drawer(random, survey, spec);
  std::vector<InvariantSpec> invariants;
  const uint8_t count = random.Between(2, 4);
  for (uint8_t i = 0; i < count; ++i) {
    invariants.push_back(drawer.Draw("safe-" + std::to_string(i)));
  }
  spec.invariants = std::move(invariants);
}

}  // namespace foretell::integration
