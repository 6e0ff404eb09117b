#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/dir/explore/local_explorer.h"
#include "foretell/dir/journal/file.h"
#include "foretell/dir/trace/dependency.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::dir {

struct DirOptions : model::ExploreOptions {
  DependencyMode dependency = DependencyMode::kExact;
  Checker checker = Checker::kDpor;
  std::string components;  // As Components::Parse; empty: every node on its own.
  uint32_t threads = 1;    // 1: the caller's. A limit on steps makes it one, to be repeatable.
  // Opens the journal: results are appended to it, and results of an earlier run are read from it.
  // The text names the basis of the results: components, and how precise the analysis of nodes is.
  // May be empty.
  std::function<absl::StatusOr<std::unique_ptr<JournalFile>>(const Components&, const std::string&,
                                                             EventNumbers&)>
      journal;
};

// Unimplemented if nothing would be explored. Streams that a fault can empty are not covered: the
// ends of such a stream are no longer independent of each other but for its messages.
absl::Status CoveredByDir(const model::Service& service, const model::SystemCut& start);

// Dynamic interface reduction (Guo et al., SOSP 2011). The service outlives the explorer.
//
// It enumerates executions to their end. Where nodes can go on for ever it cannot be complete, and
// says so. For a service that is not covered, the report claims nothing.
std::unique_ptr<model::Explorer> MakeDirExplorer(const model::Service& service, DirOptions options);

}  // namespace foretell::dir
