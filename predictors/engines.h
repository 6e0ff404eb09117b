#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::predictors {

// Replays of known bad paths; not an explorer.
inline constexpr const char* kKnownPaths = "known";

struct EngineOptions : model::ExploreOptions {
  std::string components;  // For dir: which nodes belong together; empty: every node on its own.
};

// The explorers that predictors run, in the order in which their answers are preferred.
std::vector<std::string> EngineNames();
// Null for a name that is not among them. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeEngine(const std::string& name, const model::Service& service,
                                            const EngineOptions& options);

}  // namespace foretell::predictors
