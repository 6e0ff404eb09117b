#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/model/family.h"

namespace foretell::agent {

// Appends the families of the plug-ins at `paths` to `catalog`: the one place where services from
// outside come in. Fails, naming the plug-in, if one cannot be loaded or offers a service whose
// name is taken. FORETELL_EXEC_TIME and FORETELL_EXEC_MEMORY ("2s", "1GiB") say what a process of
// exec: may take for one request.
absl::Status AppendPlugins(const std::vector<std::string>& paths, model::Catalog& catalog);

}  // namespace foretell::agent
