#pragma once

// What would stop the violation of a bundle, made anew with the code of today.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/steering.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {

// A plan, and what becomes of the service under it.
struct Outlook {
  predictors::Plan plan;
  std::vector<std::string> stops;    // In words.
  std::vector<std::string> goes_on;  // Events of the recorded moment that can still happen.
  std::vector<std::string> holds;    // Liveness predicates that come to hold again and again.
};

struct Plans {
  std::string subject;  // What the plans are against.
  Outlook agent;        // Of all that is imagined from the cut.
  std::vector<Outlook> alternatives;
  std::vector<std::string> holds;  // As Outlook::holds, where nothing is vetoed.
};

// `violation`: that of the bundle, reproduced. All nodes are taken for steerable. `imagine_faults`:
// plan against those that have not happened, too. The same file, service and steps: the same plans.
absl::StatusOr<Plans> MakePlans(const model::Service& service, const snapshot::Bundle& bundle,
                                const model::Violation& violation, bool imagine_faults,
                                uint64_t steps_max);

std::string PlansJson(const Plans& plans, const snapshot::Bundle& bundle,
                      const model::Service& service);
// Not printable yet: names and states come from the monitored system.
std::string PlansText(const Plans& plans, const snapshot::Bundle& bundle,
                      const model::Service& service);

}  // namespace foretell::agent
