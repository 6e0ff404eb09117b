#pragma once

#include <memory>

#include "absl/status/status.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/search/dpor/strategies.h"

namespace foretell::search {

// Engine `dpor`: programs of processes that block (model/process), one execution of each kind.
// Executions are of one kind if they differ in the order of what does not depend on each other; all
// of a kind break the same processes and end in the same state. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeDporExplorer(const model::Service& service,
                                                  DporOptions options);

// Not OK, with the reason, where it would explore nothing.
absl::Status CoveredByDpor(const model::Service& service, const model::SystemCut& start);

}  // namespace foretell::search
