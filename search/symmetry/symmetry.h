#pragma once

#include <memory>
#include <string>
#include <vector>

#include "foretell/search/quotient.h"

namespace foretell::search {

// States that are the same but for the names of interchangeable nodes (Service::Interchangeable),
// as a quotient. Null if there are no such nodes, or `start` tells all of them apart; what it tells
// apart is noted.
std::unique_ptr<Quotient> MakeSymmetry(GlobalSpace& space, model::InvariantTable& invariants,
                                       const model::SystemCut& start,
                                       std::vector<std::string>& notes);

}  // namespace foretell::search
