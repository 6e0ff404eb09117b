#include "foretell/predictors/coverage/stable_probe.h"

#include <algorithm>
#include <exception>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"

namespace foretell::predictors {
namespace {

constexpr size_t kCacheSize = 1 << 13;        // States per node whose keys are at hand.
constexpr size_t kStepsMax = 1024;            // Distinct changes of a node's key that are tested.
constexpr size_t kCombinationsMax = 256;      // Of all nodes, for one change.
constexpr uint64_t kJudgementsMax = 100'000;  // Altogether, so that the probe costs little.

// "holds: yes -> no, queue: [1] -> []".
std::string ChangesText(const std::vector<model::Field>& before,
                        const std::vector<model::Field>& after) {
  std::vector<std::string> changes;
  for (const model::Field& field : after) {
    const auto old = std::find_if(before.begin(), before.end(),
                                  [&](const model::Field& f) { return f.name == field.name; });
    const std::string was = old == before.end() ? "-" : old->value;
    if (was != field.value) {
      changes.push_back(absl::StrCat(field.name, ": ", was, " -> ", field.value));
    }
  }
  return absl::StrJoin(changes, ", ");
}

}  // namespace

StableProbe::StableProbe(const model::Service& service, size_t invariant)
    : service_(service),
      invariant_(invariant),
      scope_(service.invariants()[invariant].scope),
      nodes_(service.node_count()) {}

void StableProbe::See(model::NodeId node, const std::string& state) {
  model::MutexLock lock(mutex_);
  NumberOf(node.value(), state);
}

void StableProbe::Change(model::NodeId node, const std::string& before, const model::Event& event,
                         const std::string& after) {
  model::MutexLock lock(mutex_);
  if (doubt_) return;
  const Number from = NumberOf(node.value(), before);
  const Number to = NumberOf(node.value(), after);
  if (from == to || from == kOther || to == kOther) return;
  Node& own = nodes_[node.index()];
  if (own.steps.size() >= kStepsMax || !own.stepped.insert({from, to}).second) return;
  own.steps.push_back({from, to, before, event, after});
  Test(node.value(), own.steps.back(), std::nullopt);
}

std::optional<std::string> StableProbe::Project(model::NodeId node, const std::string& state) {
  try {
    model::MutexLock lock(mutex_);
    const Number number = NumberOf(node.value(), state);
    if (number != kOther) return nodes_[node.index()].keys[number];
  } catch (const std::exception&) {
    // If it was the projection, it throws again; if a predicate, nobody asked for that.
  }
  return service_.Project(invariant_, node, state);
}

std::optional<Doubt> StableProbe::doubt() const {
  model::MutexLock lock(mutex_);
  return doubt_;
}

StableProbe::Number StableProbe::NumberOf(uint32_t node, const std::string& state) {
  Node& own = nodes_[node];
  if (own.cache.empty()) own.cache.resize(kCacheSize);
  const model::Hash128 hash = model::HashBytes128(state);
  Cached& cached = own.cache[hash.low % kCacheSize];
  if (!cached.known || cached.hash.low != hash.low || cached.hash.high != hash.high) {
    cached = {hash, Intern(node, service_.Project(invariant_, model::NodeId(node), state)), true};
  }
  return cached.number;
}

StableProbe::Number StableProbe::Intern(uint32_t node, Key key) {
  Node& own = nodes_[node];
  if (const auto found = own.numbers.find(key); found != own.numbers.end()) return found->second;
  if (own.keys.size() >= kKeysMax) return kOther;
  const auto number = static_cast<Number>(own.keys.size());
  own.numbers.emplace(key, number);
  own.keys.push_back(std::move(key));
  // Changes of other nodes that were seen before have not been tried with this key.
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (n == node) continue;
    for (const Step& step : nodes_[n].steps) Test(n, step, Pin{node, number});
  }
  return number;
}

void StableProbe::Test(uint32_t node, const Step& step, std::optional<Pin> pin) {
  if (doubt_) return;
  const Node& own = nodes_[node];
  switch (scope_) {
    case model::Scope::kNode:
      if (pin || !own.keys[step.from] || !Violates({own.keys[step.from]})) return;
      if (!own.keys[step.to] || !Violates({own.keys[step.to]})) Report(node, step, std::nullopt);
      return;
    case model::Scope::kPair: return TestPairs(node, step, pin);
    case model::Scope::kSystem: return TestSystems(node, step, pin);
  }
}

void StableProbe::TestPairs(uint32_t node, const Step& step, std::optional<Pin> pin) {
  const Key& from = nodes_[node].keys[step.from];
  const Key& to = nodes_[node].keys[step.to];
  if (!from) return;
  for (uint32_t other = 0; other < nodes_.size(); ++other) {
    if (other == node || (pin && pin->node != other)) continue;
    const std::vector<Key>& keys = nodes_[other].keys;
    for (Number k = pin ? pin->number : 0; k < (pin ? pin->number + 1 : keys.size()); ++k) {
      if (!keys[k]) continue;
      // The key of the lower node comes first.
      const auto with = [&](const Key& own) {
        return node < other ? std::vector<Key>{own, keys[k]} : std::vector<Key>{keys[k], own};
      };
      if (Violates(with(from)) && (!to || !Violates(with(to)))) return Report(node, step, other);
    }
  }
}

// Goes through combinations like an odometer, whose digits are keys of the other nodes.
void StableProbe::TestSystems(uint32_t node, const Step& step, std::optional<Pin> pin) {
  std::vector<Number> digits(nodes_.size(), 0);
  for (size_t tried = 0; tried < kCombinationsMax; ++tried) {
    std::vector<Key> keys;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].keys.empty()) return;  // Never seen: absent.
      const Number number = n == node ? step.from : pin && pin->node == n ? pin->number : digits[n];
      keys.push_back(nodes_[n].keys[number]);
    }
    if (Violates(keys)) {
      keys[node] = nodes_[node].keys[step.to];
      if (!Violates(keys)) return Report(node, step, std::nullopt);
    }
    uint32_t n = 0;
    for (; n < nodes_.size(); ++n) {
      if (n == node || (pin && pin->node == n)) continue;
      if (++digits[n] < nodes_[n].keys.size()) break;
      digits[n] = 0;
    }
    if (n == nodes_.size()) return;
  }
}

bool StableProbe::Violates(std::vector<Key> keys) {
  if (judged_ >= kJudgementsMax) return false;
  ++judged_;
  return service_.Violates(invariant_, keys);
}

void StableProbe::Report(uint32_t node, const Step& step, std::optional<uint32_t> other) {
  const model::NodeId id(node);
  const std::string changes =
      ChangesText(service_.RenderState(id, step.before), service_.RenderState(id, step.after));
  const std::string& name = service_.invariants()[invariant_].name;
  doubt_ =
      Doubt{name, absl::StrCat("`stable` of ", name,
                               " cannot be relied on: ", model::Describe(service_, id, step.event),
                               " (", changes, ") ends a violation",
                               other ? absl::StrCat(" with node ", *other) : "")};
}

}  // namespace foretell::predictors
