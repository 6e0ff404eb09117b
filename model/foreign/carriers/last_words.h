#pragma once

#include <string>

namespace foretell::model::foreign {

// How a process ended, of which waitpid says `status`: "ended with exit status 2".
std::string EndText(int status);

// The last lines of what a process wrote to its standard error, on one line: "; its last words:
// ...". Empty if it was silent. Addresses are left out: they differ from one process to the next,
// and a report must not.
std::string LastWords(const std::string& heard);

}  // namespace foretell::model::foreign
