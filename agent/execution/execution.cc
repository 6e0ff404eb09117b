#include "foretell/agent/execution/execution.h"

#include <utility>

#include "foretell/model/check.h"

namespace foretell::agent {

absl::StatusOr<Execution> Execution::Make(const model::Service& service, model::SystemCut start,
                                          model::Path path) {
  Execution execution(service);
  auto replayed = model::Replay(service, start, path);
  if (!replayed.ok()) return replayed.status();
  execution.start_ = std::move(start);
  execution.path_ = std::move(path);
  execution.replayed_ = *std::move(replayed);
  auto picture = execution.Picture("", "");
  if (!picture.ok()) return picture.status();
  execution.picture_ = *std::move(picture);
  return execution;
}

const model::SystemCut& Execution::At(size_t step) const {
  FORETELL_CHECK(step <= replayed_.size());
  return step == 0 ? start_ : replayed_[step - 1].after;
}

absl::StatusOr<SpaceTime> Execution::Picture(const std::string& invariant,
                                             const std::string& title) const {
  const std::string why = model::PlainSystem(*service_, At(steps())).Explain(invariant);
  return BuildSpaceTime(*service_, start_, {.invariant = invariant, .text = why, .path = path_},
                        title);
}

absl::StatusOr<Execution> Execution::Branch(size_t step, const model::PathStep& next) const {
  FORETELL_CHECK(step <= path_.size());
  model::Path path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(step));
  path.push_back(next);
  return Make(*service_, start_, std::move(path));
}

}  // namespace foretell::agent
