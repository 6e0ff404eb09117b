#pragma once

#include "agent/check_args.h"
#include "agent/selection.h"
#include "agent/streams.h"

namespace foretell::agent {

// Returns an ExitCode. Nothing goes to `streams.out` before the check is over.
int RunCheck(const CheckArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
