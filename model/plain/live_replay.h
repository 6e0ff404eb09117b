#pragma once

#include <optional>
#include <string>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::model {

// Takes a path that replays once more as live nodes would: every node keeps its state object from
// one event to the next, until it makes a choice or has had many. The event after which a node goes
// another way, for people; nothing if none does. If there is one, the node's encoding leaves out
// state that matters, and the path says nothing about the real system. REQUIRES: `path` replays
// from `start`.
std::optional<std::string> LiveDifference(const Service& service, const SystemCut& start,
                                          const Path& path);

}  // namespace foretell::model
