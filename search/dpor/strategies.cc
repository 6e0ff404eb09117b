#include "foretell/search/dpor/strategies.h"

namespace foretell::search {

Followed Follow(Execution& execution, const DporOptions& options, const Follower& follower) {
  switch (options.algorithm) {
    case Algorithm::kPaper:
      return FollowPaper(execution, options.turns, options.depth_max, follower);
    case Algorithm::kSource:
      return FollowSource(execution, options.turns, options.depth_max, follower);
    case Algorithm::kOptimal: break;
  }
  return FollowOptimal(execution, options.turns, options.depth_max, follower);
}

bool StillAsleep(Execution& execution, Turn turn) {
  const size_t last = execution.size() - 1;
  if (turn.process == execution.turn(last).process) return false;
  const Execution::Step* const step = execution.Find(turn);
  if (step == nullptr) return false;  // It is another step now.
  return !execution.Depends(execution.event(last),
                            execution.EventAfter(turn.process, *step, execution.size(), {}));
}

}  // namespace foretell::search
