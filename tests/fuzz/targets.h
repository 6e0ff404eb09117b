#pragma once

// The functions behind the rows of AllTargets.

#include <string>
#include <vector>

#include "foretell/tests/fuzz/target.h"

namespace foretell::fuzz {

#define FORETELL_FUZZ_TARGET(name)          \
  void Run##name(const std::string& bytes); \
  std::vector<std::string> name##Seeds();
FORETELL_FUZZ_TARGET(Archive)
FORETELL_FUZZ_TARGET(Bundle)
FORETELL_FUZZ_TARGET(Checkpoint)
FORETELL_FUZZ_TARGET(Client)
FORETELL_FUZZ_TARGET(Config)
FORETELL_FUZZ_TARGET(Debug)
FORETELL_FUZZ_TARGET(Exec)
FORETELL_FUZZ_TARGET(Journal)
FORETELL_FUZZ_TARGET(Peer)
FORETELL_FUZZ_TARGET(Plugin)
FORETELL_FUZZ_TARGET(Report)
FORETELL_FUZZ_TARGET(Rpc)
FORETELL_FUZZ_TARGET(Service)
FORETELL_FUZZ_TARGET(Store)
FORETELL_FUZZ_TARGET(Wire)
#undef FORETELL_FUZZ_TARGET

}  // namespace foretell::fuzz
