#include "foretell/integration/random/random_service.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::integration {
namespace {

using model::NodeId;

struct RandomMessage {
  static constexpr const char* kName = "Message";
  uint8_t kind = 0;
  FORETELL_FIELDS(kind)
};

struct RandomAction {
  static constexpr const char* kName = "Action";
  uint8_t kind = 0;
  FORETELL_FIELDS(kind)
};

// Interprets a spec.
class RandomProtocol {
 public:
  using State = RandomState;
  using Message = RandomMessage;
  using Action = RandomAction;
  using Context = model::Context<Message>;

  explicit RandomProtocol(const RandomServiceSpec& spec) : spec_(spec) {
    for (size_t i = 0; i < spec_.rules.size(); ++i) {
      const RuleSpec& rule = spec_.rules[i];
      rules_.emplace(Key(rule.node, rule.at, rule.trigger, rule.kind), i);
    }
  }

  uint32_t node_count() const { return static_cast<uint32_t>(spec_.nodes.size()); }
  model::Network network() const { return {spec_.network, spec_.duplicates_max}; }
  model::FaultBudget faults(NodeId node) const { return spec_.nodes[node.index()].budget; }
  State Initial(NodeId node) const { return spec_.nodes[node.index()].initial; }

  std::vector<Action> Actions(NodeId node, const State& state) const {
    const auto n = static_cast<uint8_t>(node.value());
    std::vector<Action> actions;
    auto rule = rules_.lower_bound(Key(n, state.value, Trigger::kAction, 0));
    const auto end = rules_.upper_bound(Key(n, state.value, Trigger::kAction, UINT8_MAX));
    for (; rule != end; ++rule) actions.push_back({std::get<3>(rule->first)});
    return actions;
  }
  void OnAction(State& state, const Action& action, Context& context) const {
    Handle(state, Trigger::kAction, action.kind, context.self(), context);
  }
  void OnMessage(State& state, NodeId from, const Message& message, Context& context) const {
    Handle(state, Trigger::kMessage, message.kind, from, context);
  }
  void OnRestart(State& state, Context& context) const {
    Handle(state, Trigger::kRestart, 0, context.self(), context);
  }
  void OnBreak(State& state, NodeId peer, Context& context) const {
    Handle(state, Trigger::kBreak, 0, peer, context);
  }
  State OnCrash(NodeId node, const State& state) const {
    const NodeSpec& n = spec_.nodes[node.index()];
    return {n.keeps_value ? state.value : n.initial.value,
            n.keeps_left ? state.left : n.initial.left,
            n.keeps_chosen ? state.chosen : n.initial.chosen};
  }

  std::vector<model::TypedInvariant<State>> Invariants() const {
    std::vector<model::TypedInvariant<State>> invariants;
    for (const InvariantSpec& invariant : spec_.invariants) {
      invariants.push_back(Interpret(invariant));
    }
    return invariants;
  }

 private:
  using RuleKey = std::tuple<uint8_t, uint8_t, Trigger, uint8_t>;
  static RuleKey Key(uint8_t node, uint8_t at, Trigger trigger, uint8_t kind) {
    return {node, at, trigger, kind};
  }

  // Four branches are two calls, the second only after one answer of the first: engines must not
  // take for granted that every run of a handler chooses equally often.
  static size_t Choose(size_t branches, Context& context) {
    if (branches < 2) return 0;
    if (branches < 4) return context.Choose(static_cast<uint32_t>(branches));
    return context.Choose(2) == 0 ? 0 : 1 + context.Choose(3);
  }

  void Handle(State& state, Trigger trigger, uint8_t kind, NodeId peer, Context& context) const {
    const auto node = static_cast<uint8_t>(context.self().value());
    const auto found = rules_.find(Key(node, state.value, trigger, kind));
    if (found == rules_.end()) return;
    const std::vector<BranchSpec>& branches = spec_.rules[found->second].branches;
    const BranchSpec& branch = branches[Choose(branches.size(), context)];
    if (branch.failure == Failure::kThrow) throw std::runtime_error("planned");
    context.Require(branch.failure == Failure::kNone, "planned");
    state.value = branch.next;
    if (state.chosen == 0) state.chosen = branch.choose;
    for (const SendSpec& send : branch.sends) {
      if (spec_.energy_max > 0 && state.left == 0) break;
      if (spec_.energy_max > 0) --state.left;
      context.Send(send.to ? NodeId(*send.to) : peer, {send.kind});
    }
  }

  static model::TypedInvariant<State> Interpret(const InvariantSpec& invariant) {
    model::TypedInvariant<State> typed;
    typed.info = {invariant.name, "No bad combination of keys.", invariant.scope, invariant.stable,
                  invariant.eventually};
    typed.project = [invariant](NodeId, const State& state) -> std::optional<std::string> {
      const int8_t key = KeyOf(invariant, state);
      if (key == kNoKey) return std::nullopt;
      return model::Encode(key);
    };
    typed.violated = [invariant](model::TypedInvariant<State>::Keys keys) {
      std::vector<int8_t> decoded;
      for (const auto& key : keys) {
        decoded.push_back(key ? *model::Decode<int8_t>(*key) : kNoKey);
      }
      return std::any_of(invariant.bad.begin(), invariant.bad.end(),
                         [&](const auto& combination) { return Fits(combination, decoded); });
    };
    return typed;
  }

  RandomServiceSpec spec_;
  std::map<RuleKey, size_t> rules_;
};

}  // namespace

model::System MakeRandomSystem(const RandomServiceSpec& spec) {
  model::System system;
  system.service = model::MakeService(RandomProtocol(spec));
  for (const NodeSpec& node : spec.nodes) {
    const bool failed = node.status == model::NodeStatus::kFailed;
    system.start.nodes.push_back(
        {node.status, node.faults, failed ? "failed before" : model::Encode(node.start)});
  }
  for (const FlightSpec& flight : spec.in_flight) {
    system.start.in_flight.push_back(
        {NodeId(flight.from), NodeId(flight.to), model::Encode(RandomMessage{flight.kind})});
  }
  return system;
}

int8_t KeyOf(const InvariantSpec& invariant, const RandomState& state) {
  // Nothing written is nothing to see, or `chosen` would not be stable.
  if (invariant.of_chosen && state.chosen == 0) return kNoKey;
  const size_t index = invariant.of_chosen ? state.chosen : state.value;
  if (index >= invariant.keys.size() || !invariant.keys[index]) return kNoKey;
  return static_cast<int8_t>(*invariant.keys[index]);
}

bool Fits(std::span<const int8_t> combination, std::span<const int8_t> keys) {
  if (combination.size() != keys.size()) return false;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (combination[i] != kAnyKey && combination[i] != keys[i]) return false;
  }
  return true;
}

bool IsStable(const RandomServiceSpec& spec, const InvariantSpec& invariant) {
  if (!invariant.of_chosen) return false;
  for (const auto& combination : invariant.bad) {
    if (std::count(combination.begin(), combination.end(), kNoKey) > 0) return false;
  }
  for (size_t n = 0; n < spec.nodes.size(); ++n) {
    const NodeSpec& node = spec.nodes[n];
    bool chooses = node.initial.chosen != 0 || node.start.chosen != 0;
    bool fails = false;
    for (const RuleSpec& rule : spec.rules) {
      for (const BranchSpec& branch : rule.branches) {
        if (rule.node != n) continue;
        chooses = chooses || branch.choose != 0;
        fails = fails || branch.failure != Failure::kNone;
      }
    }
    if (chooses && (fails || (node.budget.crashes_max > 0 && !node.keeps_chosen))) return false;
  }
  return true;
}

}  // namespace foretell::integration
