#pragma once

// The house limits that a machine can check. A complaint is one line that starts with the path and,
// where there is one, the line.

#include <map>
#include <string>
#include <vector>

namespace foretell::tidy {

// A source tree in memory: path, with / and relative to the root, to text.
using Tree = std::map<std::string, std::string>;
using Complaints = std::vector<std::string>;

// Everything there is to say about `tree`.
Complaints Check(const Tree& tree);

}  // namespace foretell::tidy
