#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "foretell/model/budget.h"
#include "foretell/search/doctor/field_table.h"
#include "foretell/search/doctor/sample.h"

namespace foretell::search {

// What became of comparing states that differ in some fields only.
struct Influence {
  struct Tally {
    uint64_t trials = 0;  // An event in both states, or a look at both.
    uint64_t influenced = 0;
  };
  uint64_t trials = 0;
  uint64_t influenced = 0;
  uint64_t situations = 0;           // Distinct (state, event) that were tried.
  bool exhausted = true;             // There are no other states to compare.
  std::set<std::string> behaviour;   // What goes differently: "sends", "actions", ...
  std::set<std::string> invariants;  // And goals: what looks at it.
  std::set<uint32_t> fed;            // Other fields, whose values depend on it.
  std::string example;               // The first trial that was influenced, in words.
  std::map<std::string, Tally> by_scenario;

  // Nothing but the fields themselves was ever different.
  bool IsNone() const { return influenced == 0; }
  // Few trials say little, unless there are no others.
  bool IsEnough() const;
  void Add(const Influence& other);
};

// Compares states of the sample that differ in `fields`, and in nothing else but `ignored`: the
// actions that they enable, what invariants see, and every event that was run in one of them. At
// most about `trials_max` trials, fewer if the answer is clear.
Influence TryOut(Sample& sample, FieldTable& table, const FieldSet& fields, const FieldSet& ignored,
                 uint64_t trials_max, model::Budget& budget);

}  // namespace foretell::search
