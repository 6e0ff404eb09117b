#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/agent/drawing/space_time.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// A path that was replayed, with the state behind each of its steps. Steps count from 1, as in the
// drawings; place 0 is the start.
class Execution {
 public:
  // Fails if the start is no state of the service, or if a step is not possible, which it names.
  // `service` outlives this.
  static absl::StatusOr<Execution> Make(const model::Service& service, model::SystemCut start,
                                        model::Path path);

  size_t steps() const { return path_.size(); }
  const model::Path& path() const { return path_; }
  // The state behind `step`. REQUIRES: step <= steps().
  const model::SystemCut& At(size_t step) const;
  // REQUIRES: 1 <= step <= steps(), for all below.
  const model::PathStep& StepAt(size_t step) const { return path_[step - 1]; }
  const model::StepEffect& EffectOf(size_t step) const { return replayed_[step - 1].effect; }
  // For its words; lanes of nodes without part in it may be missing, so ask StepAt for the node.
  const Moment& MomentOf(size_t step) const { return picture_.moments[step - 1]; }

  // The whole of it to draw: what breaks at its end, if anything does, is told as `invariant`.
  absl::StatusOr<SpaceTime> Picture(const std::string& invariant, const std::string& title) const;

  // The steps up to `step`, followed by `next`. Fails as Make.
  absl::StatusOr<Execution> Branch(size_t step, const model::PathStep& next) const;

 private:
  explicit Execution(const model::Service& service) : service_(&service) {}

  const model::Service* service_;
  model::SystemCut start_;
  model::Path path_;
  std::vector<model::ReplayedStep> replayed_;
  SpaceTime picture_;
};

}  // namespace foretell::agent
