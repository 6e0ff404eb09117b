#include "foretell/search/doctor/diagnosis.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace foretell::search {
namespace {

class Examination {
 public:
  Examination(Samples samples, FieldTable& table, uint64_t trials_max, model::Budget& budget)
      : samples_(samples), table_(table), trials_max_(trials_max), budget_(budget) {}

  Diagnosis Run() {
    diagnosis_.all = Count([](const Sample&, const Sample::Row& row) {
      return uint64_t{row.state.value()};
    });
    // The table grows by what trials lead to and nobody met; that is no matter here.
    const uint32_t fields = table_.size();
    for (uint32_t field = 0; field < fields; ++field) {
      diagnosis_.fields.push_back({.field = field, .varies = Varies(field)});
    }
    for (FieldFindings& one : diagnosis_.fields) {
      one.declared = one.varies && IsDeclared(one.field);
      if (one.declared) declared_.Insert(one.field);
    }
    diagnosis_.now = Without(declared_);
    for (FieldFindings& one : diagnosis_.fields) {
      if (!one.varies) continue;
      one.influence = Try(FieldSet(one.field), one.declared ? FieldSet() : declared_);
      one.without = Without(one.declared ? FieldSet(one.field) : Beyond({one.field}));
    }
    FindFunctions();
    FindThoseForInvariants();
    Suggest();
    diagnosis_.in_time = budget_.Poll();
    return std::move(diagnosis_);
  }

 private:
  template <class Key>
  Remainder Count(Key key) const {
    Remainder counts;
    for (const auto& sample : samples_) {
      absl::flat_hash_set<std::pair<uint32_t, uint64_t>> distinct;
      for (const Sample::Row& row : sample->rows()) {
        distinct.emplace(row.node.value(), key(*sample, row));
      }
      counts.node_states += distinct.size();
      counts.states +=
          sample->CountStates([&](const Sample::Row& row) { return key(*sample, row); });
    }
    return counts;
  }
  Remainder Without(const FieldSet& set) const {
    return Count(
        [&](const Sample& sample, const Sample::Row& row) { return sample.Without(row, set); });
  }

  bool Varies(uint32_t field) const {
    const FieldSet set(field);
    for (const auto& sample : samples_) {
      absl::flat_hash_map<uint32_t, uint64_t> first;  // By node.
      for (const Sample::Row& row : sample->rows()) {
        const uint64_t value = sample->Only(row, set);
        if (first.try_emplace(row.node.value(), value).first->second != value) return true;
      }
    }
    return false;
  }

  // It differs between states that differ in nothing that the service says to be relevant, and all
  // of it does: to leave it out merges nothing else.
  bool IsDeclared(uint32_t field) const {
    const FieldSet set(field);
    bool differs = false;
    for (const auto& sample : samples_) {
      if (!sample->has_auxiliary()) continue;
      absl::flat_hash_map<uint64_t, const Sample::Row*> without;
      for (const Sample::Row& row : sample->rows()) {
        const auto [known, fresh] = without.try_emplace(sample->Without(row, set), &row);
        if (fresh) continue;
        if (known->second->relevant != row.relevant) return false;
        differs = true;
      }
    }
    return differs;
  }

  // Fields together with what is left out already: what is suggested comes on top of that.
  FieldSet Beyond(const std::vector<uint32_t>& fields) const {
    FieldSet set = declared_;
    for (const uint32_t field : fields) set.Insert(field);
    return set;
  }

  Influence Try(const FieldSet& set, const FieldSet& ignored) {
    Influence influence;
    for (const auto& sample : samples_) {
      influence.Add(
          TryOut(*sample, table_, set, ignored, trials_max_ / samples_.size() + 1, budget_));
    }
    return influence;
  }

  void FindFunctions() {
    std::vector<uint32_t> candidates;
    for (const FieldFindings& one : diagnosis_.fields) {
      const bool counts = one.varies && !one.declared;
      if (counts && !table_.has_parts(one.field)) candidates.push_back(one.field);
    }
    for (const uint32_t field : candidates) {
      if (!budget_.Poll()) return;
      diagnosis_.fields[field].function_of = FunctionOf(samples_, table_, field, candidates);
    }
  }

  // The largest set of fields of which each depends on nothing but `accepts`, and feeds nothing but
  // members. What is fed is a member if it is part of one.
  template <class Accepts>
  FieldSet Closed(Accepts accepts) const {
    FieldSet set;
    for (const FieldFindings& one : diagnosis_.fields) {
      if (one.varies && !one.declared && accepts(one)) set.Insert(one.field);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const uint32_t field : set.Members()) {
        const std::set<uint32_t>& fed = diagnosis_.fields[field].influence.fed;
        const bool stays = std::all_of(fed.begin(), fed.end(), [&](uint32_t other) {
          return table_.IsWithin(other, set);
        });
        if (stays) continue;
        set.Erase(field);
        changed = true;
      }
    }
    return set;
  }
  void FindThoseForInvariants() {
    const FieldSet set = Closed([](const FieldFindings& one) {
      return one.influence.behaviour.empty() && one.influence.trials > 0;
    });
    for (FieldFindings& one : diagnosis_.fields) {
      one.is_for_invariants = set.contains(one.field) && !one.influence.invariants.empty();
    }
  }

  // What makes no difference alone may make one together: three copies of which two decide. And
  // what others determine was never tried alone.
  void Suggest() {
    const FieldSet quiet = Closed([](const FieldFindings& one) {
      return one.influence.behaviour.empty() && one.influence.invariants.empty() &&
             one.influence.IsEnough();
    });
    std::vector<uint32_t> order = Maximal(quiet);
    std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
      return diagnosis_.fields[a].without.states < diagnosis_.fields[b].without.states;
    });
    diagnosis_.suggestion.without = diagnosis_.now;
    // Those that feed each other go together or not at all.
    Accept(order, {});
    for (const uint32_t field : order) Accept({field}, diagnosis_.suggestion.fields);
    for (const FieldFindings& one : diagnosis_.fields) {
      if (!one.varies || one.influence.trials > 0) continue;
      Accept({one.field}, diagnosis_.suggestion.fields);
      std::vector<uint32_t> with_others = one.function_of;
      with_others.push_back(one.field);
      Accept(with_others, diagnosis_.suggestion.fields);
    }
  }

  // Adds `more` to `fields` if nothing depends on all of them and they leave fewer states.
  void Accept(const std::vector<uint32_t>& more, std::vector<uint32_t> fields) {
    FieldSet set;
    for (const uint32_t field : fields) set.Insert(field);
    for (const uint32_t field : more) {
      if (table_.IsWithin(field, Beyond(fields))) continue;
      set.Insert(field);
      fields.push_back(field);
    }
    const Remainder without = Without(Beyond(fields));
    if (without.states >= diagnosis_.suggestion.without.states) return;
    Influence influence = Try(set, declared_);
    if (!influence.IsNone() || !influence.IsEnough()) return;
    diagnosis_.suggestion = {fields, std::move(influence), without};
  }

  // Members that are part of no other.
  std::vector<uint32_t> Maximal(const FieldSet& set) const {
    std::vector<uint32_t> maximal;
    for (const uint32_t field : set.Members()) {
      FieldSet others = set;
      others.Erase(field);
      if (!table_.IsWithin(field, others)) maximal.push_back(field);
    }
    return maximal;
  }

  const Samples samples_;
  FieldTable& table_;
  const uint64_t trials_max_;
  model::Budget& budget_;
  FieldSet declared_;
  Diagnosis diagnosis_;
};

}  // namespace

Diagnosis Diagnose(Samples samples, FieldTable& table, uint64_t trials_max,
                   model::Budget& budget) {
  return Examination(samples, table, trials_max, budget).Run();
}

}  // namespace foretell::search
