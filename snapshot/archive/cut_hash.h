#pragma once

#include <cstdint>

#include "foretell/model/cut.h"

namespace foretell::snapshot {

// Names a cut: equal for equal cuts, and what archives and audit logs call it by. 0 for a cut that
// is too large for a record.
uint64_t CutHash(const model::SystemCut& cut);

}  // namespace foretell::snapshot
