#pragma once

#include <string>

#include "foretell/agent/guard/running.h"

namespace foretell::agent {

// The code that runs, for people: "the handler of action Tick() at node 0". Asks the service for
// texts.
std::string Where(const Running& running);

// The state that it runs on: "count=0, odd=false". Empty if it runs on none.
std::string StateText(const Running& running);

}  // namespace foretell::agent
