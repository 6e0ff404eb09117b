#include "foretell/integration/random/symmetric_service.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "foretell/integration/random/random_source.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration {
namespace {

using model::NodeId;

constexpr uint8_t kHeardMax = 2;

struct SymmetricState {
  uint8_t value = 0;
  uint8_t left = 0;    // Messages, or rounds of them, that it can still send.
  uint8_t chosen = 0;  // Written once.
  std::optional<NodeId> peer;
  std::set<NodeId> heard;
  model::NodeSet told;
  model::PerNode<uint8_t> counts;
  std::map<NodeId, NodeId> about;
  FORETELL_FIELDS(value, left, chosen, peer, heard, told, counts, about)
};

struct SymmetricMessage {
  uint8_t kind = 0;
  std::optional<NodeId> about;
  FORETELL_FIELDS(kind, about)
};

struct SymmetricAction {
  uint8_t kind = 0;
  std::optional<NodeId> at;  // Towards whom; a copy may act towards each other one.
  FORETELL_FIELDS(kind, at)
};

// What a handler notes of the node that it hears of.
enum class Note : uint8_t { kNothing, kPeer, kHeard, kTold, kCount, kAbout, kForget, kLast };
enum class Target : uint8_t { kSender, kHub, kOthers, kPeer, kAny, kHeard, kLast };
enum class Trigger : uint8_t { kMessage, kAction, kActionAt, kRestart, kBreak, kLast };

struct Branch {
  uint8_t next = 0;
  uint8_t choose = 0;
  bool fails = false;
  Note note = Note::kNothing;
  std::vector<std::pair<Target, uint8_t>> sends;  // To whom, and of which kind.
  bool tells = false;                             // What is sent is about its peer, or itself.
};

struct Rule {
  uint8_t heard_min = 0;  // Nothing happens unless it has heard of so many.
  std::vector<Branch> branches;
};

struct Spec {
  uint8_t copies = 2;
  bool hub = false;
  model::Network network;
  uint8_t energy = 1;
  uint8_t values = 3;
  uint8_t kinds = 2;
  model::FaultBudget faults;
  bool keeps_chosen = false;
  std::map<std::tuple<bool, uint8_t, Trigger, uint8_t>, Rule> rules;  // By role, value, kind.
  std::vector<uint8_t> bad;  // Numbers that invariants are made of.
  SymmetryLie lie = SymmetryLie::kNone;
};

class SymmetricProtocol {
 public:
  using State = SymmetricState;
  using Message = SymmetricMessage;
  using Action = SymmetricAction;
  using Context = model::Context<Message>;

  explicit SymmetricProtocol(Spec spec) : spec_(std::move(spec)) {}

  // The hub comes first: copies are not the nodes 0 .. n-1 then.
  uint32_t node_count() const { return first_copy() + spec_.copies; }
  std::vector<std::vector<NodeId>> Interchangeable() const {
    return {model::NodesFrom(first_copy(), node_count())};
  }
  model::Network network() const { return spec_.network; }
  model::FaultBudget faults(NodeId node) const {
    return IsHub(node) ? model::FaultBudget{} : spec_.faults;
  }
  State Initial(NodeId node) const {
    State state{.left = spec_.energy, .counts = model::PerNode<uint8_t>(node_count())};
    if (Lies(SymmetryLie::kStart, node)) state.value = 1;
    return state;
  }
  State OnCrash(NodeId node, const State& state) const {
    State survivor = Initial(node);
    survivor.left = state.left;
    if (spec_.keeps_chosen) survivor.chosen = state.chosen;
    return survivor;
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    std::vector<Action> actions;
    for (uint8_t kind = 0; kind < spec_.kinds; ++kind) {
      if (Find(node, state, Trigger::kAction, kind) != nullptr) actions.push_back({kind, {}});
      if (Find(node, state, Trigger::kActionAt, kind) == nullptr) continue;
      for (const NodeId other : Others(node)) actions.push_back({kind, other});
    }
    return actions;
  }
  void OnAction(State& state, const Action& action, Context& context) const {
    const Trigger trigger = action.at ? Trigger::kActionAt : Trigger::kAction;
    Handle(state, trigger, action.kind, action.at.value_or(context.self()), context);
  }
  void OnMessage(State& state, NodeId from, const Message& message, Context& context) const {
    if (message.about && message.kind == 1) state.about.insert({from, *message.about});
    Handle(state, Trigger::kMessage, message.kind, from, context);
  }
  void OnRestart(State& state, Context& context) const {
    Handle(state, Trigger::kRestart, 0, context.self(), context);
  }
  void OnBreak(State& state, NodeId peer, Context& context) const {
    Handle(state, Trigger::kBreak, 0, peer, context);
  }

  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {Values(), Chosen(), Mutual(), Many(false), Many(true)};
  }

 private:
  uint32_t first_copy() const { return spec_.hub ? 1 : 0; }
  bool IsHub(NodeId node) const { return node.value() < first_copy(); }
  bool Lies(SymmetryLie lie, NodeId node) const {
    return spec_.lie == lie && node.value() == first_copy();
  }
  std::vector<NodeId> Others(NodeId node) const {
    std::vector<NodeId> others = model::NodesFrom(first_copy(), node_count());
    std::erase(others, node);
    return others;
  }
  const Rule* Find(NodeId node, const State& state, Trigger trigger, uint8_t kind) const {
    const auto found = spec_.rules.find({IsHub(node), state.value, trigger, kind});
    if (found == spec_.rules.end() || found->second.heard_min > state.heard.size()) return nullptr;
    return &found->second;
  }

  void Handle(State& state, Trigger trigger, uint8_t kind, NodeId other, Context& context) const {
    const Rule* const rule = Find(context.self(), state, trigger, kind);
    if (rule == nullptr) return;
    const auto count = static_cast<uint32_t>(rule->branches.size());
    const Branch& branch = rule->branches[count > 1 ? context.Choose(count) : 0];
    // The text names the node, as texts do.
    context.Require(!branch.fails, "node " + std::to_string(context.self().value()) + " gives up");
    state.value = branch.next;
    if (Lies(SymmetryLie::kNode, context.self())) state.value = 0;
    if (spec_.lie == SymmetryLie::kOrder && other < context.self()) state.value = 0;
    if (state.chosen == 0) state.chosen = branch.choose;
    Take(branch.note, other, state);
    if (branch.sends.empty() || state.left == 0) return;
    --state.left;
    for (const auto& [target, sent] : branch.sends) {
      Message message{sent, {}};
      if (branch.tells) message.about = state.peer.value_or(context.self());
      Send(target, message, other, state, context);
    }
  }

  static void Take(Note note, NodeId other, State& state) {
    switch (note) {
      case Note::kPeer: state.peer = other; break;
      case Note::kHeard: state.heard.insert(other); break;
      case Note::kTold: state.told.insert(other); break;
      case Note::kCount: state.counts[other] = 1; break;
      case Note::kAbout: state.about.insert({other, state.peer.value_or(other)}); break;
      case Note::kForget: state.heard.clear(); break;
      case Note::kNothing:
      case Note::kLast: break;
    }
  }

  void Send(Target target, const Message& message, NodeId other, const State& state,
            Context& context) const {
    const std::vector<NodeId> others = Others(context.self());
    switch (target) {
      case Target::kSender: return context.Send(other, message);
      case Target::kHub: return context.Send(spec_.hub ? NodeId(0) : other, message);
      case Target::kPeer: return context.Send(state.peer.value_or(other), message);
      case Target::kAny:
        return context.Send(others[context.Choose(static_cast<uint32_t>(others.size()))], message);
      case Target::kHeard:
        for (const NodeId to : state.heard) context.Send(to, message);
        return;
      case Target::kOthers:
      case Target::kLast: break;
    }
    for (const NodeId to : others) context.Send(to, message);
  }

  // No node has a certain value.
  model::TypedInvariant<State> Values() const {
    return model::NodeInvariant<State, uint8_t>(
        {.name = "values", .text = "No node gets there."},
        [this_ = *this](NodeId node, const State& s) -> std::optional<uint8_t> {
          const bool first = node.value() == this_.first_copy();
          if (this_.spec_.lie == SymmetryLie::kInvariant && !first) return std::nullopt;
          return s.value;
        },
        [bad = spec_.bad[0]](uint8_t value) { return value == bad; });
  }
  model::TypedInvariant<State> Chosen() const {
    const bool kept = spec_.keeps_chosen || spec_.faults.crashes_max == 0;
    return model::PairInvariant<State, uint8_t>(
        {.name = "chosen", .text = "No two nodes choose differently.", .stable = kept},
        [](NodeId, const State& s) -> std::optional<uint8_t> {
          return s.chosen == 0 ? std::nullopt : std::optional(s.chosen);
        },
        [](uint8_t a, uint8_t b) { return a != b; });
  }
  // What is seen names nodes, too.
  model::TypedInvariant<State> Mutual() const {
    using Key = std::pair<NodeId, NodeId>;
    return model::PairInvariant<State, Key>(
        {.name = "mutual", .text = "No two nodes are each other's peers."},
        [](NodeId node, const State& s) -> std::optional<Key> {
          return s.peer ? std::optional(Key(node, *s.peer)) : std::nullopt;
        },
        [](const Key& a, const Key& b) { return a.first == b.second && b.first == a.second; });
  }
  model::TypedInvariant<State> Many(bool in_the_end) const {
    return model::SystemInvariant<State, uint8_t>(
        {.name = in_the_end ? "many-in-the-end" : "many",
         .text = "Not that many nodes are there.",
         .when_stuck = in_the_end},
        [](NodeId, const State& s) { return std::optional(s.value); },
        [value = spec_.bad[1], count = spec_.bad[2]](const auto& keys) {
          return std::count(keys.begin(), keys.end(), std::optional(value)) >= count;
        });
  }

  Spec spec_;
};

Branch DrawBranch(RandomSource& random, const Spec& spec) {
  Branch branch;
  branch.next = random.Below(spec.values);
  branch.choose = random.Chance(35) ? random.Between(1, 2) : uint8_t{0};
  branch.fails = random.Chance(4);
  if (random.Chance(60)) branch.note = static_cast<Note>(random.Below(uint64_t(Note::kLast)));
  branch.tells = random.Chance(30);
  for (uint8_t left = random.Below(3); left > 0; --left) {
    branch.sends.emplace_back(static_cast<Target>(random.Below(uint64_t(Target::kLast))),
                              random.Below(spec.kinds));
  }
  return branch;
}

void DrawRules(RandomSource& random, Spec& spec) {
  for (const bool hub : {false, true}) {
    for (uint8_t at = 0; at < spec.values; ++at) {
      for (uint8_t t = 0; t < static_cast<uint8_t>(Trigger::kLast); ++t) {
        const auto trigger = static_cast<Trigger>(t);
        const bool acts = trigger == Trigger::kAction || trigger == Trigger::kActionAt;
        for (uint8_t kind = 0; kind < spec.kinds; ++kind) {
          if (!random.Chance(acts ? 12 : 60)) continue;
          Rule rule{random.Chance(20) ? random.Between(1, kHeardMax) : uint8_t{0}, {}};
          for (uint8_t left = random.Chance(20) ? 2 : 1; left > 0; --left) {
            rule.branches.push_back(DrawBranch(random, spec));
          }
          // Values only rise where nothing limits what happens.
          for (Branch& branch : rule.branches) {
            if (acts) branch.next = static_cast<uint8_t>(at + 1);
          }
          spec.rules.emplace(std::tuple(hub, at, trigger, kind), std::move(rule));
        }
      }
    }
  }
}

Spec DrawSpec(uint64_t seed) {
  RandomSource random(seed);
  Spec spec;
  spec.copies = random.Chance(45) ? 2 : random.Chance(70) ? 3 : 4;
  spec.hub = random.Chance(50);
  if (random.Chance(35)) spec.network.kind = model::NetworkKind::kStreams;
  spec.energy = random.Between(1, 2);
  spec.values = random.Between(2, 4);
  spec.kinds = random.Between(1, 2);
  if (random.Chance(25)) spec.faults.crashes_max = 1;
  const bool streams = spec.network.kind == model::NetworkKind::kStreams;
  if (streams && random.Chance(40)) spec.faults.breaks_max = 1;
  spec.keeps_chosen = random.Chance(50);
  for (int i = 0; i < 2; ++i) spec.bad.push_back(random.Below(spec.values + 1));
  spec.bad.push_back(random.Between(2, 4));
  DrawRules(random, spec);
  return spec;
}

}  // namespace

model::System MakeSymmetricSystem(uint64_t seed, SymmetryLie lie) {
  Spec spec = DrawSpec(seed);
  spec.lie = lie;
  model::System system;
  system.service = model::MakeService(SymmetricProtocol(std::move(spec)));
  system.start = model::InitialCut(*system.service);
  return system;
}

}  // namespace foretell::integration
