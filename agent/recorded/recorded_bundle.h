#pragma once

// What the commands that work on a bundle share. The file may come from anywhere: nothing in it is
// believed.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/report.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {

// The cut that its path starts from.
const model::SystemCut& StartOf(const snapshot::Bundle& bundle);
bool IsEventual(const model::Service& service, const std::string& invariant);

// The service that recorded it, from the catalogue, or from the plug-in that the bundle names:
// `found` keeps that and outlives the selection. `force`: another version of it will do, with a
// warning.
absl::StatusOr<Selection> SelectFor(const snapshot::Bundle& bundle, bool force, const Parts& parts,
                                    model::Catalog& found, Console& console);

// A path cannot break what the service does not promise.
absl::Status CheckInvariant(const model::Service& service, const std::string& invariant);

// The violation of the bundle, as it is today. That a liveness predicate does not hold at the end
// of a path is nothing yet: it must be dead there, and a file's word is no proof.
// FailedPrecondition: the path is none any more.
absl::StatusOr<model::Violation> Reproduce(const model::Service& service,
                                           const snapshot::Bundle& bundle);

}  // namespace foretell::agent
