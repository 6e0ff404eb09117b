#pragma once

#include <string>

#include "foretell/agent/formats/findings.h"

namespace foretell::agent {

// JUnit XML, as Jenkins, GitLab and others read it: one suite, one test case per invariant. What is
// not decided is skipped, never passed.
std::string WriteJunit(const Findings& findings);

}  // namespace foretell::agent
