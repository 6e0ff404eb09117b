#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "foretell/dir/explore/coverage.h"
#include "foretell/dir/explore/deviations.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/components.h"
#include "foretell/dir/trace/skeleton.h"

namespace foretell::dir {

// The global skeletons found so far: G of section 3.4. Numbered as they come; they stay where they
// are until Clear.
class SkeletonSet {
 public:
  explicit SkeletonSet(uint32_t component_count)
      : component_count_(component_count), coverage_(component_count) {}

  // Adds a skeleton that was composed with the one numbered `origin`; kNone if it is the first.
  // Null if it is known.
  const Skeleton* Add(Skeleton skeleton, uint32_t origin);
  void Clear();

  uint32_t size() const { return static_cast<uint32_t>(skeletons_.size()); }
  const Skeleton& operator[](uint32_t number) const { return *skeletons_[number]; }
  const std::vector<std::unique_ptr<Skeleton>>& all() const { return skeletons_; }
  const Coverage& coverage() const { return coverage_; }
  uint64_t bytes() const {
    return skeleton_bytes_ + coverage_.bytes() +
           (signatures_.capacity() + composed_.capacity()) * sizeof(Signature);
  }

  // True iff `rest` of a skeleton with the component's deviation was composed before, or is part of
  // a known skeleton however that came about. Remembers that it is from now on.
  bool IsCovered(ComponentId component, const Deviation& deviation, const Coverage::Rest& rest);

 private:
  const uint32_t component_count_;
  std::vector<std::unique_ptr<Skeleton>> skeletons_;
  absl::flat_hash_set<Signature> signatures_;  // Of skeletons.
  Coverage coverage_;                          // Of skeletons.
  absl::flat_hash_set<Signature> composed_;    // Prefixes that some skeleton has.
  uint64_t skeleton_bytes_ = 0;
};

}  // namespace foretell::dir
