#pragma once

#include <cstdint>
#include <vector>

#include "foretell/search/dpor/execution.h"

namespace foretell::search {

// An execution up to what was read from what: what every process has got, and which post has met
// which. Executions of one kind (relation.h) agree in it; some of different kinds do, too: the
// order of what nobody receives makes no difference, nor who is first of two that receive and of
// two that send, if both are exchanged.
using ReadsFrom = std::vector<uint32_t>;
ReadsFrom ReadsFromOf(const Execution& execution);

}  // namespace foretell::search
