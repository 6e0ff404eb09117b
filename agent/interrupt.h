#pragma once

namespace foretell::agent {

// From now on the first Ctrl-C only sets a flag, so that a check can end with what it has; the
// second one ends the process as usual.
void CatchInterrupt();
bool Interrupted();

}  // namespace foretell::agent
