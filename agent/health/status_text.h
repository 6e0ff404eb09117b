#pragma once

#include <string>

#include "foretell/agent/health/status_page.h"

namespace foretell::agent {

// The page for `foretell agent --status`: lines for people, the most urgent first.
std::string StatusText(const StatusPage& page);
// The same for scripts; docs/json.md has the keys.
std::string StatusJson(const StatusPage& page);

}  // namespace foretell::agent
