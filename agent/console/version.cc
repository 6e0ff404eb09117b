#include "foretell/agent/console/version.h"

namespace foretell::agent {

const char* const kVersion = FORETELL_VERSION;

}  // namespace foretell::agent
