#pragma once

#include <memory>
#include <span>
#include <vector>

#include "foretell/search/doctor/field_table.h"
#include "foretell/search/doctor/sample.h"

namespace foretell::search {

using Samples = std::span<const std::unique_ptr<Sample>>;

// One or two of `candidates` that determine `field` in all that was met: nodes that agree on them
// agree on it. Empty if there are none, or if hardly any two states agree on them, so that it would
// say nothing.
std::vector<uint32_t> FunctionOf(Samples samples, const FieldTable& table, uint32_t field,
                                 std::span<const uint32_t> candidates);

}  // namespace foretell::search
