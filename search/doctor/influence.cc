#include "foretell/search/doctor/influence.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"
#include "foretell/model/hash.h"
#include "foretell/model/plain/local_step.h"

namespace foretell::search {
namespace {

using model::EventId;
using model::LocalOutcome;
using model::NodeState;
using Row = Sample::Row;

// So many trials say something, in so many different situations.
constexpr uint64_t kTrialsEnough = 1'000;
constexpr uint64_t kSituationsEnough = 20;

// What went differently in one trial.
struct Difference {
  std::set<std::string> behaviour;
  std::set<std::string> invariants;
  std::set<uint32_t> fed;
  bool any() const { return !behaviour.empty() || !invariants.empty() || !fed.empty(); }
};

template <class T>
void Merge(const std::set<T>& from, std::set<T>& to) {
  to.insert(from.begin(), from.end());
}

FieldSet Union(FieldSet set, const FieldSet& more) {
  for (const uint32_t field : more.Members()) set.Insert(field);
  return set;
}

// Compares states of one sample, pair by pair.
class Trials {
 public:
  Trials(Sample& sample, FieldTable& table, const FieldSet& fields, const FieldSet& ignored,
         uint64_t trials_max, model::Budget& budget)
      : sample_(sample),
        service_(sample.service()),
        table_(table),
        fields_(fields),
        left_out_(Union(fields, ignored)),
        trials_max_(trials_max),
        budget_(budget) {}

  Influence Run() {
    for (const auto& [one, other] : Pairs()) {
      if (IsClear() || !budget_.Poll()) {
        found_.exhausted = false;
        break;
      }
      Compare(*one, *other);
    }
    // Of a part of the states, few pairs say little, though they be all.
    found_.exhausted = found_.exhausted && sample_.complete();
    found_.by_scenario[sample_.scenario()] = {found_.trials, found_.influenced};
    return std::move(found_);
  }

 private:
  using Pair = std::pair<const Row*, const Row*>;

  // States that agree in everything else. Each is compared with the first that it would be taken
  // for, as the audit of a claim has it, or else with the first that differs from that one. Those
  // that come first are from all over.
  std::vector<Pair> Pairs() const {
    struct Group {
      const Row* first;
      const Row* other = nullptr;
    };
    absl::flat_hash_map<uint64_t, Group> groups;
    std::vector<Pair> pairs;
    for (const Row& row : sample_.rows()) {
      const auto [known, fresh] = groups.try_emplace(sample_.Without(row, left_out_), Group{&row});
      if (fresh) continue;
      Group& group = known->second;
      if (sample_.Only(row, fields_) != sample_.Only(*group.first, fields_)) {
        if (group.other == nullptr) group.other = &row;
        pairs.emplace_back(group.first, &row);
      } else if (group.other != nullptr) {
        pairs.emplace_back(group.other, &row);
      }
    }
    std::vector<Pair> spread;
    const size_t stride = std::max<size_t>(1, pairs.size() / kTrialsEnough);
    for (size_t begin = 0; begin < stride; ++begin) {
      for (size_t i = begin; i < pairs.size(); i += stride) spread.push_back(pairs[i]);
    }
    return spread;
  }

  bool IsClear() const {
    const bool clear = !found_.behaviour.empty() && found_.trials >= kTrialsEnough;
    return clear || found_.trials >= trials_max_;
  }

  void Compare(const Row& one, const Row& other) {
    const NodeState a = sample_.StateOf(one);
    const NodeState b = sample_.StateOf(other);
    Look(one.node, a, b);
    for (const EventId event : one.events) {
      const auto next = TryEvent(one.node, a, b, event);
      // Where both have it, what follows was met and is compared on its own.
      const bool both = std::find(other.events.begin(), other.events.end(), event) !=
                        other.events.end();
      if (next && !both) Walk(one, event, *next);
    }
    for (const EventId event : other.events) {
      if (std::find(one.events.begin(), one.events.end(), event) != one.events.end()) continue;
      TryEvent(one.node, b, a, event);
    }
  }

  // What would come next if `b`, which was not met, were taken for where `event` leads from `row`.
  void Walk(const Row& row, EventId event, NodeState b) {
    constexpr size_t kStepsMax = 16;  // As in the audit of a claim.
    const Row* at = sample_.RowOf(row.node, sample_.Next(row, event));
    for (size_t step = 0; step < kStepsMax && at != nullptr && !at->events.empty(); ++step) {
      const NodeState a = sample_.StateOf(*at);
      if (a == b || found_.trials >= trials_max_) return;
      Look(row.node, a, b);
      const EventId next_event = at->events[step % at->events.size()];
      std::optional<NodeState> next = TryEvent(row.node, a, b, next_event);
      if (!next) return;
      at = sample_.RowOf(row.node, sample_.Next(*at, next_event));
      b = *std::move(next);
    }
  }

  // Without any event: what the states enable, and who sees them.
  void Look(model::NodeId node, const NodeState& a, const NodeState& b) {
    Difference difference;
    if (model::AcceptsMessages(a) &&
        service_.Actions(node, a.body) != service_.Actions(node, b.body)) {
      difference.behaviour.insert("what it does by itself");
    }
    for (size_t i = 0; i < service_.invariants().size(); ++i) {
      if (service_.Project(i, node, a.body) != service_.Project(i, node, b.body)) {
        difference.invariants.insert(service_.invariants()[i].name);
      }
    }
    for (size_t i = 0; i < service_.goals().size(); ++i) {
      if (service_.Reached(i, node, a.body) != service_.Reached(i, node, b.body)) {
        difference.invariants.insert(service_.goals()[i].name);
      }
    }
    Count(difference, node, a, b, "");
  }

  // Where the first outcome leads from `b`, if nothing but the fields went differently.
  std::optional<NodeState> TryEvent(model::NodeId node, const NodeState& a, const NodeState& b,
                                    EventId id) {
    const model::Event event = sample_.EventOf(id);
    const auto possible = [&](const NodeState& state) {
      if (id.is_deliver()) return true;
      const std::vector<model::Event> events = model::LocalEvents(service_, node, state);
      return std::find(events.begin(), events.end(), event) != events.end();
    };
    if (!possible(a) || !possible(b)) return std::nullopt;  // Look has told.
    const std::vector<LocalOutcome> from_a = model::RunAllChoices(service_, node, a, event);
    const std::vector<LocalOutcome> from_b = model::RunAllChoices(service_, node, b, event);
    Difference difference;
    if (from_a.size() != from_b.size()) difference.behaviour.insert("what can be chosen");
    for (size_t i = 0; i < std::min(from_a.size(), from_b.size()); ++i) {
      CompareOutcomes(node, from_a[i], from_b[i], difference);
    }
    situations_.emplace(model::HashBytes(a.body), id);
    found_.situations = situations_.size();
    Count(difference, node, a, b, model::Describe(service_, node, event));
    if (difference.any()) return std::nullopt;
    return from_b[0].next;
  }

  void CompareOutcomes(model::NodeId node, const LocalOutcome& a, const LocalOutcome& b,
                       Difference& difference) {
    if (a.sends != b.sends) difference.behaviour.insert("what is sent");
    if (a.choices != b.choices) difference.behaviour.insert("what can be chosen");
    const bool failed = model::IsSilent(a.next) || model::IsSilent(b.next);
    if (a.next == b.next) return;
    if (a.next.status != b.next.status || failed) {
      difference.behaviour.insert("whether an assertion holds");
      return;
    }
    std::map<uint32_t, uint64_t> values;
    for (const Sample::Value& value : sample_.ValuesOf(node, a.next.body)) {
      values[value.leaf] = value.hash;
    }
    const auto differs = [&](uint32_t leaf) {
      const uint32_t field = table_.leaf(leaf).fields.back();
      if (!table_.IsWithin(field, left_out_)) difference.fed.insert(field);
    };
    for (const Sample::Value& value : sample_.ValuesOf(node, b.next.body)) {
      const auto other = values.find(value.leaf);
      if (other == values.end() || other->second != value.hash) differs(value.leaf);
      if (other != values.end()) values.erase(other);
    }
    for (const auto& [leaf, hash] : values) differs(leaf);
  }

  void Count(const Difference& difference, model::NodeId node, const NodeState& a,
             const NodeState& b, const std::string& event) {
    ++found_.trials;
    if (!difference.any()) return;
    ++found_.influenced;
    Merge(difference.behaviour, found_.behaviour);
    Merge(difference.invariants, found_.invariants);
    Merge(difference.fed, found_.fed);
    // The clearest: what a node does says more than what it writes down.
    if (!example_is_behaviour_ && (found_.example.empty() || !difference.behaviour.empty())) {
      example_is_behaviour_ = !difference.behaviour.empty();
      found_.example = ExampleOf(difference, node, a, b, event);
    }
  }

  // "at node 0 with log[0].x=1 or 2: deliver Ack(...) from node 1: what is sent"
  std::string ExampleOf(const Difference& difference, model::NodeId node, const NodeState& a,
                        const NodeState& b, const std::string& event) {
    std::map<std::string, std::string> values;
    for (const model::Field& field : service_.RenderState(node, a.body)) {
      values[field.name] = field.value;
    }
    std::vector<std::string> fields;
    for (const model::Field& field : service_.RenderState(node, b.body)) {
      const auto other = values.find(field.name);
      const std::string was = other == values.end() ? "nothing" : other->second;
      if (was != field.value) {
        fields.push_back(absl::StrCat(field.name, " ", was, " or ", field.value));
      }
    }
    std::vector<std::string> what(difference.behaviour.begin(), difference.behaviour.end());
    what.insert(what.end(), difference.invariants.begin(), difference.invariants.end());
    for (const uint32_t field : difference.fed) what.push_back(table_.name(field));
    return absl::StrCat(event.empty() ? absl::StrCat("node ", node.value()) : event, ", ",
                        absl::StrJoin(fields, ", "), ": ", absl::StrJoin(what, ", "));
  }

  Sample& sample_;
  const model::Service& service_;
  FieldTable& table_;
  const FieldSet& fields_;
  const FieldSet left_out_;
  const uint64_t trials_max_;
  model::Budget& budget_;
  absl::flat_hash_set<std::pair<uint64_t, EventId>> situations_;  // States by their hashes.
  bool example_is_behaviour_ = false;
  Influence found_;
};

}  // namespace

bool Influence::IsEnough() const {
  return situations >= kSituationsEnough && (trials >= kTrialsEnough || exhausted);
}

void Influence::Add(const Influence& other) {
  trials += other.trials;
  influenced += other.influenced;
  situations += other.situations;
  exhausted = exhausted && other.exhausted;
  Merge(other.behaviour, behaviour);
  Merge(other.invariants, invariants);
  Merge(other.fed, fed);
  if (example.empty()) example = other.example;
  by_scenario.insert(other.by_scenario.begin(), other.by_scenario.end());
}

Influence TryOut(Sample& sample, FieldTable& table, const FieldSet& fields, const FieldSet& ignored,
                 uint64_t trials_max, model::Budget& budget) {
  return Trials(sample, table, fields, ignored, trials_max, budget).Run();
}

}  // namespace foretell::search
