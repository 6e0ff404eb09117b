#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/model/report.h"
#include "foretell/search/local_moves.h"

namespace foretell::search {

class Reduction;

// States from which a reduction chooses one step are not worth storing: there is one way on, and it
// can be followed again at any time. What pays of DBSS's selective push-on-stack is this.
class ForcedMoves {
 public:
  // At the latest after this many a state is stored: a cycle of forced moves would have no end.
  static constexpr uint32_t kInARowMax = 63;

  // Both outlive this. REQUIRES: what `reduction` chooses depends on the state alone.
  ForcedMoves(LocalMoves& moves, Reduction& reduction, uint32_t node_count)
      : local_(moves), reduction_(reduction), next_(node_count) {}

  struct Forced {
    Move move;
    model::Step step;
  };
  // The one step that is chosen in `state`; nothing if there are more, none, or it leads nowhere.
  std::optional<Forced> In(const GlobalState& state);
  // Where the step that In returned leads.
  GlobalState& next() { return next_; }
  // Appends the states that lead from one state to another, the latter included: some step, and
  // forced ones after it. REQUIRES: there are such steps.
  void AppendWay(const GlobalState& from, const GlobalState& to, std::vector<GlobalState>& way);

 private:
  bool Leads(GlobalState at, const GlobalState& to, std::vector<GlobalState>& way);

  LocalMoves& local_;
  Reduction& reduction_;
  std::vector<Move> moves_;
  GlobalState next_;
};

}  // namespace foretell::search
