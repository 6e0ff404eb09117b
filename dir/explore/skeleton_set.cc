#include "foretell/dir/explore/skeleton_set.h"

#include <utility>

namespace foretell::dir {

const Skeleton* SkeletonSet::Add(Skeleton skeleton, uint32_t origin) {
  if (!signatures_.insert(skeleton.signature).second) return nullptr;
  skeletons_.push_back(std::make_unique<Skeleton>(std::move(skeleton)));
  const Skeleton& added = *skeletons_.back();
  coverage_.Add(added, origin);
  skeleton_bytes_ += BytesOf(added);
  return &added;
}

void SkeletonSet::Clear() {
  skeletons_.clear();
  signatures_.clear();
  coverage_ = Coverage(component_count_);
  composed_.clear();
  skeleton_bytes_ = 0;
}

bool SkeletonSet::IsCovered(ComponentId component, const Deviation& deviation,
                            const Coverage::Rest& rest) {
  // A component that falls silent leaves no transition to tell by whether the others would have.
  if (deviation.first.empty()) return false;
  bool covered = true;
  for (const Signature& next : deviation.first) {
    const Signature prefix = rest.signature + Skeleton::ComponentSignature(component, next);
    if (!composed_.insert(prefix).second) continue;
    covered = covered && coverage_.Covers(rest, component, next);
  }
  return covered;
}

}  // namespace foretell::dir
