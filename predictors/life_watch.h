#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"
#include "foretell/predictors/clean_spaces.h"
#include "foretell/predictors/portfolio.h"

namespace foretell::predictors {

// A liveness predicate in a live cut.
enum class Life : uint8_t {
  kHolds,
  kAlive,      // It does not hold, and there is a way to where it does.
  kDead,       // Proved: there is none, whatever the application calls.
  kSuspected,  // Walks found none, and there is no proof.
  kUndecided,
};
// "holds", "alive", "dead", "suspected", "undecided".
const char* LifeName(Life life);

// What is known about one liveness predicate after a round.
struct LifeForecast {
  std::string property;
  Life life = Life::kUndecided;
  std::optional<size_t> steps;  // kAlive: of a shortest way to where it holds, if it was found.
  std::string text;             // One line: what that rests on.
  // kDead: the cut itself, with an empty path. Else, if there is one, a way into death, which ends
  // with the critical step, or with messages that have to be lost. Of those that were found, one
  // with the fewest faults, and then the shortest.
  std::optional<Predicted> death;
  size_t faults = 0;      // On that way, lost messages included.
  bool complete = false;  // Everything that is imagined was looked at for the predicate.
  // False: nobody knows whether it holds, because it is about nodes that are absent.
  bool seen = true;
};

// Judges the liveness predicates of a service from live cuts, round after round, with engine `live`
// (search/liveness). Remembers what it has already covered. One call at a time.
class LifeWatch {
 public:
  // The service outlives this. `ignored`: predicates that are not looked at (mode off).
  LifeWatch(const model::Service& service, const std::vector<std::string>& ignored);

  bool empty() const { return watched_.empty(); }

  // One forecast per predicate, of the cut itself. `exact`: what is in flight in `live` is known.
  // If it is not, the cut is judged with nothing in flight, which says who is alive. Never fails:
  // what goes wrong makes a predicate undecided.
  std::vector<LifeForecast> JudgeCut(const model::SystemCut& live, bool exact,
                                     model::Budget& budget) const;
  // Looks for ways into death from what is imagined, for those that are not dead already.
  // REQUIRES: `spaces` are those of the cut that was judged, which was exact.
  void LookAhead(const std::vector<model::Imagined>& spaces, std::vector<LifeForecast>& forecasts,
                 model::Budget& budget);

 private:
  struct Watched {
    std::string name;
    CleanSpaces clean;
    // What is imagined has too few calls to tell who can die: a way into death was found that
    // another call brings back, and so would be the next.
    bool needs_calls = false;
  };
  LifeForecast JudgeOne(const std::string& name, const model::SystemCut& live, bool exact,
                        model::Budget& budget) const;
  void LookAheadOf(Watched& watched, const std::vector<model::Imagined>& spaces,
                   LifeForecast& forecast, model::Budget& budget) const;
  // Keeps the nearer of two ways into death.
  void Take(Predicted predicted, LifeForecast& forecast) const;

  const model::Service& service_;
  std::vector<Watched> watched_;
};

}  // namespace foretell::predictors
