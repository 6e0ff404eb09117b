#pragma once

#include <string>

namespace foretell::scenarios {

// `text` with a # for all that depends on the machine or the build: memory of the process and of
// tables, sizes of compressed files, our version. Time needs none: the clock of a story stands
// still.
std::string Masked(const std::string& text);

}  // namespace foretell::scenarios
