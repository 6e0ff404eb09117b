#include "foretell/search/dpor/strategies.h"

#include <algorithm>

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

bool Contains(const std::vector<Turn>& turns, Turn turn) {
  return std::find(turns.begin(), turns.end(), turn) != turns.end();
}

std::vector<uint32_t> InTurns(Execution& execution, Turns turns) {
  std::vector<uint32_t> processes = execution.Oldest();
  if (turns != Turns::kOldest) std::sort(processes.begin(), processes.end());
  if (turns == Turns::kDescending) std::reverse(processes.begin(), processes.end());
  return processes;
}

bool AllAwake(Execution& execution, uint32_t process, const std::vector<Turn>& asleep) {
  for (const ProcessSpace::Step& step : execution.Steps(process)) {
    if (Contains(asleep, {process, step.key})) return false;
  }
  return true;
}

std::vector<Turn> StillAsleep(Execution& execution, const std::vector<Turn>& sleeping) {
  std::vector<Turn> asleep;
  const size_t last = execution.size() - 1;
  for (const Turn turn : sleeping) {
    if (turn.process == execution.turn(last).process) continue;
    const ProcessSpace::Step* const step = execution.Find(turn);
    if (step == nullptr) continue;  // It is another step now.
    execution.Push(turn.process, *step);
    if (!execution.Before(last, last + 1)) asleep.push_back(turn);
    execution.Truncate(last + 1);
  }
  return asleep;
}

}  // namespace foretell::search
