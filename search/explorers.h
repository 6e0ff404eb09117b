#pragma once

#include <cstdint>
#include <memory>

#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/search/quotient.h"

namespace foretell::search {

// In which order states are expanded. Breadth first gives shortest paths.
enum class Order : uint8_t { kBreadthFirst, kDepthFirst };

// How many states engine `global` looks at before it tries to minimise nodes: what is smaller than
// that is done before the node graphs would be closed.
inline constexpr uint32_t kMinimiseAfter = 1 << 16;

struct SearchOptions : model::ExploreOptions {
  Order order = Order::kBreadthFirst;
  bool awaited = false;        // Somebody waits for a violation: no more is audited than its path.
  MakeQuotient quotient = {};  // Empty: no two states are taken for one.
  uint32_t minimise_after = kMinimiseAfter;
};

// Engine `global`: every interleaving, no reduction. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeGlobalExplorer(const model::Service& service,
                                                    SearchOptions options);

// Engine `por`: the same search with partial-order reduction on ids (search/reduction.h).
std::unique_ptr<model::Explorer> MakePorExplorer(const model::Service& service,
                                                 SearchOptions options);

// Engine `consequence` (consequence prediction, CrystalBall): every delivery is followed, but what
// a node does by itself (actions, faults) only where its own state is new to the search. Reaches
// deep chains of messages early and may miss violations: complete only if nothing was left out.
// Always breadth first; `order` of the options is not looked at.
std::unique_ptr<model::Explorer> MakeConsequenceExplorer(const model::Service& service,
                                                         SearchOptions options);

}  // namespace foretell::search
