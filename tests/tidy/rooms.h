#pragma once

// Rooms: folders with sources of their own. The README of a room says, in lines that people read
// and this checks, what others may include of it and whom it knows:
//
//   - Door: `host.h`
//   - Shown: `faults.h`, `time.h`
//   - Knows: `model`, `snapshot/node`

#include "foretell/tests/tidy/tree.h"

namespace foretell::tidy {

// No room without a README and a door, none with more than 30 files side by side; every include
// between rooms follows what their READMEs say, and what they say is true and has no cycle; a
// public header includes public headers only. Tests may include whatever their folder knows.
void CheckRooms(const Tree& tree, Complaints& complaints);

}  // namespace foretell::tidy
