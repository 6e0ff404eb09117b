#pragma once

#include <string>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::model {

// A path that breaks `invariant` with no step that could simply be left out: reduced searches take
// steps that the violation does not need, and people should not have to read them. Steps keep
// their order. Returns `path` itself if it does not replay to a violation.
Path Shorten(const Service& service, const SystemCut& start, const std::string& invariant,
             Path path);

}  // namespace foretell::model
