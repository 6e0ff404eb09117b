#pragma once

// The portfolio against the best of its members, by processor time: by the wall clock, whatever
// else the machine does would decide.

#include <ostream>
#include <string>
#include <vector>

#include "foretell/predictors/engines.h"
#include "foretell/tests/bench/engines/verdicts.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {

// Over all cases; the first engine is the portfolio.
class Comparison {
 public:
  // REQUIRES: the engines outlive it.
  explicit Comparison(const std::vector<predictors::Engine>& engines) : engines_(engines) {}

  // What the portfolio may take where its best member takes `best`.
  static Seconds Goal(Seconds best);

  static Table::Row Head() { return {"best", "portfolio / best", "by the clock"}; }
  // Adds the cells under Head(). `verdicts` are in the order of the engines.
  void Add(const std::string& name, const std::vector<Verdict>& verdicts, Table::Row& row);
  // The worst case, and every one beyond the goal.
  void Print(std::ostream& out) const;

 private:
  struct Compared {
    std::string name;
    std::string best;
    Seconds best_cpu{};
    Seconds cpu{};
    // How many times the best it is once the time that nobody notices is taken off.
    double beyond() const;
  };
  // The index of the member that decided with the least processor time; none: 0, the portfolio.
  size_t BestOf(const std::vector<Verdict>& verdicts) const;
  static std::string Text(const Compared& compared);

  const std::vector<predictors::Engine>& engines_;
  std::vector<Compared> compared_;
  std::vector<std::string> missed_;
  size_t slow_by_clock_ = 0;
};

}  // namespace foretell::bench
