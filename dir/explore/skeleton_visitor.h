#pragma once

#include "foretell/dir/explore/composer.h"
#include "foretell/dir/trace/skeleton.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"

namespace foretell::dir {

// A visitor of skeletons as they are found; the composer has their runs. False ends the
// exploration.
class SkeletonVisitor {
 public:
  virtual ~SkeletonVisitor() = default;
  // Called once for every global skeleton.
  virtual bool Visit(const Skeleton& skeleton, Composer& composer, model::Budget& budget) = 0;
  // Called for a skeleton with a suspect in it, which breaks these invariants.
  virtual bool Confirm(const Skeleton& skeleton, Composer& composer,
                       model::InvariantSet broken) = 0;
};

}  // namespace foretell::dir
