#pragma once

namespace foretell::agent {

// True iff the user pressed Ctrl-C. A caller promises to end soon with what there is: from the
// first call on, the first Ctrl-C only makes this true; the second ends the process as usual.
bool Interrupted();

// The same for who promises nothing: catches no Ctrl-C, and sees one only if somebody else does.
bool InterruptSeen();

}  // namespace foretell::agent
