#pragma once

#include <string>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"

namespace foretell::agent {

// The bound to raise after a search that one of them ended: "To see more: --budget 10m." Empty if
// none ended it, or if more would not help because the space has no end.
std::string BoundAdvice(const CheckRecord& record, const CheckRequest& asked);

}  // namespace foretell::agent
