#pragma once

#include "dir/composer.h"
#include "dir/skeleton.h"
#include "model/budget.h"
#include "model/invariant_table.h"

namespace foretell::dir {

// Told of executions as they are found; both are in the composer. False ends the exploration.
class Judge {
 public:
  virtual ~Judge() = default;
  // Every global skeleton, once.
  virtual bool Visit(const Skeleton& skeleton, Composer& composer, model::Budget& budget) = 0;
  // One with a suspect in it, which breaks these invariants.
  virtual bool Confirm(const Skeleton& skeleton, Composer& composer,
                       model::InvariantSet broken) = 0;
};

}  // namespace foretell::dir
