#pragma once

#include <cstdint>
#include <memory>

#include "model/report.h"
#include "model/service.h"

namespace foretell::search {

// In which order states are expanded. Breadth first gives shortest paths.
enum class Order : uint8_t { kBreadthFirst, kDepthFirst };

struct SearchOptions : model::ExploreOptions {
  Order order = Order::kBreadthFirst;
};

// Engine `global`: every interleaving, no reduction. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeGlobalExplorer(const model::Service& service,
                                                    SearchOptions options);

// Engine `por`: the same search with partial-order reduction on ids (search/reduction.h).
std::unique_ptr<model::Explorer> MakePorExplorer(const model::Service& service,
                                                 SearchOptions options);

}  // namespace foretell::search
