#pragma once

#include "foretell/agent/commands/replay.h"

namespace foretell::agent {

// RunReplay for a file that is a bundle.
int ReplayBundle(const ReplayArgs& args, const Parts& parts, Streams& streams);
// RunReplay for any other file: it is an archive, or an error.
int ReplayArchive(const ReplayArgs& args, const Parts& parts, Streams& streams);

}  // namespace foretell::agent
