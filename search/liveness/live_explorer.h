#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::search {

// The losses that are counted with.
enum class Loss : uint8_t {
  kAny,   // Every datagram can be lost.
  kNone,  // What is in flight arrives in the end.
};

struct LiveOptions : model::ExploreOptions {
  std::string property;  // The name of a liveness predicate.
  model::CountOn count_on = model::CountOn::kCalls;
  Loss loss = Loss::kAny;
  model::Weights weights;
  uint64_t seed = 1;
  // Recorded cuts of the run that the start is of, the oldest first, for search/prefixes.
  std::vector<model::SystemCut> earlier;
};

// Engine `live`: whether the system can get to where a liveness predicate can never hold again.
// Report::liveness has the verdict, the violation its Death. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeLiveExplorer(const model::Service& service,
                                                  LiveOptions options);

}  // namespace foretell::search
