#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/search/doctor/dependence.h"
#include "foretell/search/doctor/field_table.h"
#include "foretell/search/doctor/influence.h"
#include "foretell/search/doctor/sample.h"

namespace foretell::search {

// How many states of all samples would be left.
struct Remainder {
  uint64_t states = 0;
  uint64_t node_states = 0;
};

struct FieldFindings {
  uint32_t field = 0;
  bool varies = false;    // Between states of one node.
  bool declared = false;  // The service leaves it out of what is relevant already.
  Influence influence;
  Remainder without;                  // The field.
  std::vector<uint32_t> function_of;  // Empty: of nothing that is known.
  // It cannot be declared, and yet nothing but invariants and goals looks at it.
  bool is_for_invariants = false;
};

// What could be declared auxiliary, all of it together.
struct Suggestion {
  std::vector<uint32_t> fields;  // None of them part of another.
  Influence influence;
  Remainder without;
};

struct Diagnosis {
  Remainder all;                      // With everything in.
  Remainder now;                      // Without what is declared auxiliary already.
  std::vector<FieldFindings> fields;  // By number; parts come after what they are part of.
  Suggestion suggestion;
  bool in_time = true;
};

// Examines the fields of one service in `samples`. REQUIRES: none of them is nondeterministic.
Diagnosis Diagnose(Samples samples, FieldTable& table, uint64_t trials_max, model::Budget& budget);

}  // namespace foretell::search
