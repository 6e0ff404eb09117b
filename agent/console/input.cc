#include "foretell/agent/console/input.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

Input StandardInput() {
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  return {std::cin, TakesEscapes(terminal, std::getenv("TERM"))};
}

}  // namespace foretell::agent
