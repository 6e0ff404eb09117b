#pragma once

#include "foretell/agent/check/check_args.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// Returns an ExitCode. Nothing goes to `streams.out` before the check is over.
int RunCheck(const CheckArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
