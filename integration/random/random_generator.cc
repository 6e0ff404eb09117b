#include "foretell/integration/random/random_generator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "foretell/integration/random/random_invariants.h"
#include "foretell/integration/random/random_source.h"
#include "foretell/integration/random/survey.h"

namespace foretell::integration {
namespace {

constexpr size_t kStatesMin = 60;
constexpr size_t kDepthMin = 9;
constexpr size_t kSurveyStates = 600;
constexpr int kAttempts = 30;

// What is drawn once for the whole service and guides all the rest.
struct Knobs {
  uint8_t values = 2;  // Per node.
  uint8_t kinds = 1;   // Of messages.
  uint8_t actions = 0;
  uint8_t chosen_max = 0;
  uint32_t rule_percent = 50;     // How many (node, value, message kind) do something.
  uint32_t action_percent = 0;    // How many (node, value) have an action.
  uint32_t branch_percent = 0;    // How many rules choose.
  uint32_t failure_percent = 0;   // How many branches fail.
  uint8_t nodes_that_choose = 0;  // A set: others never write `chosen`.
};

Knobs DrawKnobs(RandomSource& random) {
  Knobs knobs;
  knobs.values = random.Between(2, 6);
  knobs.kinds = random.Between(1, 5);
  knobs.actions = random.Between(0, 2);
  knobs.chosen_max = random.Between(1, 3);
  knobs.rule_percent = random.Between(35, 80);
  knobs.action_percent = random.Between(10, 45);
  knobs.branch_percent = random.Chance(50) ? random.Between(5, 30) : 0;
  knobs.failure_percent = random.Chance(35) ? random.Between(2, 10) : 0;
  knobs.nodes_that_choose = random.Between(1, 15);
  return knobs;
}

class Generator {
 public:
  explicit Generator(RandomSource& random) : random_(random), knobs_(DrawKnobs(random_)) {}

  // All but the invariants.
  RandomServiceSpec Draw() {
    DrawService();
    for (uint8_t n = 0; n < node_count_; ++n) DrawNode();
    for (uint8_t n = 0; n < node_count_; ++n) DrawRules(n);
    if (random_.Chance(35)) DrawCut();
    DrawInFlight();
    return std::move(spec_);
  }

 private:
  void DrawService() {
    node_count_ = random_.Between(2, 4);
    const uint8_t shape = random_.Below(10);
    spec_.shape = shape < 4 ? Shape::kAcyclic : shape < 7 ? Shape::kEnergy : Shape::kCirculating;
    if (spec_.shape == Shape::kEnergy) spec_.energy_max = random_.Between(1, 3);
    if (random_.Chance(40)) {
      spec_.network = model::NetworkKind::kStreams;
    } else if (spec_.shape != Shape::kCirculating && random_.Chance(25)) {
      // Duplicates would multiply what circulates without end.
      spec_.duplicates_max = 1;
    }
    faults_ = random_.Chance(40);
  }

  void DrawNode() {
    NodeSpec node;
    node.initial = {random_.Chance(70) ? uint8_t{0} : random_.Below(knobs_.values),
                    spec_.energy_max, 0};
    node.keeps_value = random_.Chance(50);
    node.keeps_left = random_.Chance(70);
    node.keeps_chosen = random_.Chance(75);
    if (faults_ && random_.Chance(50)) node.budget.crashes_max = 1;
    const bool streams = spec_.network == model::NetworkKind::kStreams;
    if (faults_ && streams && random_.Chance(50)) node.budget.breaks_max = 1;
    node.start = node.initial;
    spec_.nodes.push_back(node);
  }

  void DrawRules(uint8_t node) {
    // Nodes that never fail are what makes a stable invariant possible beside failing ones.
    may_fail_ = random_.Chance(60);
    for (uint8_t at = 0; at < knobs_.values; ++at) {
      for (uint8_t kind = 0; kind < knobs_.kinds; ++kind) {
        if (random_.Chance(knobs_.rule_percent)) AddRule(node, at, Trigger::kMessage, kind);
      }
      for (uint8_t kind = 0; kind < knobs_.actions; ++kind) {
        if (random_.Chance(knobs_.action_percent)) AddRule(node, at, Trigger::kAction, kind);
      }
      if (spec_.nodes[node].budget.crashes_max > 0 && random_.Chance(40)) {
        AddRule(node, at, Trigger::kRestart, 0);
      }
      if (spec_.nodes[node].budget.breaks_max > 0 && random_.Chance(40)) {
        AddRule(node, at, Trigger::kBreak, 0);
      }
    }
  }

  void AddRule(uint8_t node, uint8_t at, Trigger trigger, uint8_t kind) {
    RuleSpec rule{node, at, trigger, kind, {}};
    const size_t branches = random_.Chance(knobs_.branch_percent) ? random_.Between(2, 4) : 1;
    while (rule.branches.size() < branches) rule.branches.push_back(DrawBranch(rule));
    spec_.rules.push_back(std::move(rule));
  }

  BranchSpec DrawBranch(const RuleSpec& rule) {
    BranchSpec branch;
    const bool last = rule.at + 1 == knobs_.values;
    if (spec_.shape != Shape::kAcyclic) {
      branch.next = random_.Below(knobs_.values);
    } else {
      // Steps of one mostly, so that the end is far away.
      branch.next = last || random_.Chance(10) ? rule.at
                    : random_.Chance(70)       ? static_cast<uint8_t>(rule.at + 1)
                                               : random_.Between(rule.at + 1u, knobs_.values - 1u);
    }
    const bool chooses = ((knobs_.nodes_that_choose >> rule.node) & 1) != 0;
    if (chooses && random_.Chance(20)) branch.choose = random_.Between(1, knobs_.chosen_max);
    if (may_fail_ && random_.Chance(knobs_.failure_percent)) {
      branch.failure = random_.Chance(70) ? Failure::kRequire : Failure::kThrow;
    }
    DrawSends(rule, branch);
    return branch;
  }

  void DrawSends(const RuleSpec& rule, BranchSpec& branch) {
    uint8_t count = random_.Chance(60) ? 1 : random_.Below(3);
    if (spec_.shape == Shape::kAcyclic && branch.next == rule.at) count = 0;
    if (spec_.shape == Shape::kCirculating) {
      count = rule.trigger == Trigger::kAction ? uint8_t{0} : std::min(count, uint8_t{1});
    }
    while (branch.sends.size() < count) {
      SendSpec send{std::nullopt, random_.Below(knobs_.kinds)};
      if (random_.Chance(75)) send.to = random_.Below(node_count_);
      branch.sends.push_back(send);
      // The very same message twice is a case of its own.
      if (branch.sends.size() < count && random_.Chance(25)) branch.sends.push_back(send);
    }
  }

  // A live state instead of the initial one.
  void DrawCut() {
    for (uint8_t n = 0; n < node_count_; ++n) {
      NodeSpec& node = spec_.nodes[n];
      node.start.value = random_.Below(knobs_.values);
      if (spec_.energy_max > 0) node.start.left = random_.Below(spec_.energy_max + 1u);
      const bool chooses = ((knobs_.nodes_that_choose >> n) & 1) != 0;
      if (chooses && random_.Chance(15)) node.start.chosen = random_.Between(1, knobs_.chosen_max);
      if (node.budget.breaks_max > 0 && random_.Chance(30)) {
        node.faults[model::FaultKind::kBreak] = 1;
      }
      if (random_.Chance(2)) node.status = model::NodeStatus::kFailed;
      if (node.budget.crashes_max == 0 || !random_.Chance(50)) continue;
      node.faults[model::FaultKind::kCrash] = 1;
      if (!random_.Chance(50)) continue;
      node.status = model::NodeStatus::kDown;
      if (!node.keeps_value) node.start.value = node.initial.value;
      if (!node.keeps_left) node.start.left = node.initial.left;
      if (!node.keeps_chosen) node.start.chosen = node.initial.chosen;
    }
  }

  void DrawInFlight() {
    // Where actions send nothing, or there are none, only messages in flight make things move.
    const bool needed = knobs_.actions == 0 || spec_.shape == Shape::kCirculating;
    const uint8_t count = needed ? random_.Between(1, 3) : random_.Below(3);
    while (spec_.in_flight.size() < count) {
      spec_.in_flight.push_back(
          {random_.Below(node_count_), random_.Below(node_count_), random_.Below(knobs_.kinds)});
      if (random_.Chance(20)) spec_.in_flight.push_back(spec_.in_flight.back());
    }
  }

  RandomSource& random_;
  Knobs knobs_;
  RandomServiceSpec spec_;
  uint8_t node_count_ = 0;
  bool faults_ = false;
  bool may_fail_ = false;
};

}  // namespace

RandomServiceSpec RandomSpec(uint64_t seed) {
  RandomSource random(seed);
  // Random tables tend to stop dead after a few steps, or to explode. Some of those are worth
  // having, most are not: draws again then.
  const size_t states_min = random.Chance(15) ? 2 : kStatesMin;
  const size_t depth_min = random.Chance(70) ? kDepthMin : 0;
  const bool large = random.Chance(15);
  for (int attempt = 0;; ++attempt) {
    RandomServiceSpec spec = Generator(random).Draw();
    const Survey survey = TakeSurvey(spec, kSurveyStates);
    const bool fits = survey.samples.size() >= states_min &&
                      survey.samples.back().depth >= depth_min && (large || survey.whole);
    if (!fits && attempt < kAttempts) continue;
    DrawInvariants(random, survey, spec);
    spec.seed = seed;
    return spec;
  }
}

}  // namespace foretell::integration
