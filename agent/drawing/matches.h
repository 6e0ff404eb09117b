#pragma once

#include <memory>
#include <vector>

#include "foretell/agent/drawing/space_time.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {

// A program of processes that block (model/process/) as its author sees it: a lane for each
// process and none for the mailboxes; what a process asks for is one step, and a send that meets a
// receive is an arrow. Requests and answers of the service are left out; numbers of steps are
// those of the path.
// Null if `service` is no such program, or if more happens than processes do by themselves.
std::shared_ptr<const SpaceTime> FoldMatches(const model::Service& service,
                                             const model::SystemCut& start, const model::Path& path,
                                             const std::vector<model::ReplayedStep>& replayed,
                                             const SpaceTime& picture);

}  // namespace foretell::agent
