#include "integration/random/random_invariants.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integration/random/random_service.h"
#include "model/check.h"
#include "model/fields.h"
#include "model/plain_system.h"

namespace foretell::integration {
namespace {

constexpr size_t kWalks = 4;
constexpr size_t kWalkSteps = 24;
constexpr size_t kShallow = 4;  // Steps that any search gets right.
constexpr size_t kKeysMax = 3;

using Keys = std::vector<std::optional<uint8_t>>;

// A state met on a random walk; nothing for failed nodes.
struct Sample {
  size_t depth = 0;
  std::vector<std::optional<RandomState>> nodes;
};

Sample SampleOf(size_t depth, const model::SystemCut& cut) {
  Sample sample{depth, {}};
  for (const model::NodeState& node : cut.nodes) {
    sample.nodes.push_back(node.status == model::NodeStatus::kFailed
                               ? std::nullopt
                               : model::Decode<RandomState>(node.body));
  }
  return sample;
}

std::vector<Sample> Walk(RandomSource& random, const RandomServiceSpec& spec) {
  const model::System system = MakeRandomSystem(spec);
  std::vector<Sample> samples;
  for (size_t walk = 0; walk < kWalks; ++walk) {
    model::PlainSystem at(*system.service, system.start);
    for (size_t depth = 0; depth <= kWalkSteps; ++depth) {
      samples.push_back(SampleOf(depth, at.state()));
      const std::vector<model::PathStep> enabled = at.Enabled();
      if (enabled.empty()) break;
      FORETELL_CHECK(at.Apply(enabled[random.Next() % enabled.size()]).ok());
    }
  }
  return samples;
}

class InvariantDrawer {
 public:
  InvariantDrawer(RandomSource& random, const RandomServiceSpec& spec)
      : random_(random), spec_(spec), samples_(Walk(random, spec)) {}

  InvariantSpec Draw(const std::string& name) {
    InvariantSpec invariant;
    invariant.name = name;
    const uint8_t scope = random_.Below(10);
    invariant.scope = scope < 2   ? model::Scope::kNode
                      : scope < 7 ? model::Scope::kPair
                                  : model::Scope::kSystem;
    invariant.of_chosen = random_.Chance(40);
    // Several values have one key, some have none.
    for (int i = 0; i < 8; ++i) {
      invariant.keys.push_back(random_.Chance(75) ? std::optional(random_.Below(kKeysMax))
                                                  : std::nullopt);
    }
    absent_counts_ = invariant.scope == model::Scope::kSystem && random_.Chance(15);
    const uint8_t count = random_.Between(1, 2);
    for (uint8_t i = 0; i < count; ++i) {
      if (auto combination = DrawCombination(invariant)) invariant.bad.push_back(*combination);
    }
    invariant.stable = IsStable(spec_, invariant);
    invariant.eventually = random_.Chance(4);
    return invariant;
  }

 private:
  // A combination that the walks did not meet early, if one is found soon.
  std::optional<std::vector<int8_t>> DrawCombination(const InvariantSpec& invariant) {
    const bool late = random_.Chance(45);
    for (int attempt = 0; attempt < 12; ++attempt) {
      std::optional<std::vector<int8_t>> combination =
          late ? FromWalk(invariant) : FromNothing(invariant);
      if (combination && (random_.Chance(8) || !MetEarly(invariant, *combination))) {
        return combination;
      }
    }
    return std::nullopt;
  }

  std::optional<std::vector<int8_t>> FromWalk(const InvariantSpec& invariant) {
    const Sample& sample = samples_[random_.Next() % samples_.size()];
    if (sample.depth <= kShallow) return std::nullopt;
    std::vector<Keys> all = KeysOfScope(invariant, sample);
    const Keys& keys = all[random_.Next() % all.size()];
    const bool system = invariant.scope == model::Scope::kSystem;
    std::vector<int8_t> combination;
    for (const std::optional<uint8_t>& key : keys) {
      if (!key && !system) return std::nullopt;
      const int8_t absent = absent_counts_ ? kNoKey : kAnyKey;
      const bool any = system && random_.Chance(25);
      combination.push_back(any ? kAnyKey : key ? static_cast<int8_t>(*key) : absent);
    }
    return combination;
  }

  std::optional<std::vector<int8_t>> FromNothing(const InvariantSpec& invariant) {
    const bool system = invariant.scope == model::Scope::kSystem;
    std::vector<int8_t> combination(KeysOfScope(invariant, samples_[0])[0].size());
    for (int8_t& entry : combination) {
      entry = static_cast<int8_t>(random_.Below(kKeysMax));
      if (system && random_.Chance(40)) {
        entry = absent_counts_ && random_.Chance(50) ? kNoKey : kAnyKey;
      }
    }
    return combination;
  }

  bool MetEarly(const InvariantSpec& invariant, const std::vector<int8_t>& combination) const {
    const auto met = [&](const Sample& sample) {
      const std::vector<Keys> all = KeysOfScope(invariant, sample);
      return sample.depth <= kShallow && std::any_of(all.begin(), all.end(), [&](const Keys& keys) {
               return Fits(combination, keys);
             });
    };
    // A combination of nothing but "any" would always be broken.
    return std::count(combination.begin(), combination.end(), kAnyKey) ==
               static_cast<std::ptrdiff_t>(combination.size()) ||
           std::any_of(samples_.begin(), samples_.end(), met);
  }

  // The keys of every node, every pair, or the system.
  static std::vector<Keys> KeysOfScope(const InvariantSpec& invariant, const Sample& sample) {
    Keys keys;
    for (const std::optional<RandomState>& node : sample.nodes) {
      keys.push_back(node ? KeyOf(invariant, *node) : std::nullopt);
    }
    if (invariant.scope == model::Scope::kSystem) return {keys};
    std::vector<Keys> all;
    for (size_t a = 0; a < keys.size(); ++a) {
      if (invariant.scope == model::Scope::kNode) all.push_back({keys[a]});
      for (size_t b = a + 1; b < keys.size() && invariant.scope == model::Scope::kPair; ++b) {
        all.push_back({keys[a], keys[b]});
      }
    }
    return all;
  }

  RandomSource& random_;
  const RandomServiceSpec& spec_;
  std::vector<Sample> samples_;
  bool absent_counts_ = false;
};

}  // namespace

void DrawInvariants(RandomSource& random, RandomServiceSpec& spec) {
  InvariantDrawer drawer(random, spec);
  std::vector<InvariantSpec> invariants;
  const uint8_t count = random.Between(2, 4);
  for (uint8_t i = 0; i < count; ++i) {
    invariants.push_back(drawer.Draw("safe-" + std::to_string(i)));
  }
  spec.invariants = std::move(invariants);
}

}  // namespace foretell::integration
