#pragma once

#include "foretell/tests/tidy/tree.h"

namespace foretell::tidy {

// Everything there is to say about `tree`: the house limits that a machine can check.
Complaints Check(const Tree& tree);

}  // namespace foretell::tidy
