#include "foretell/tests/bench/engines/comparison.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace foretell::bench {
namespace {

// What the portfolio may cost: twice the time of its best member, and what nobody notices.
constexpr double kTimesMax = 2;
constexpr Seconds kMore(0.050);

double Beyond(Seconds portfolio, Seconds best) {
  // The clock of the processor has no more than microseconds.
  return std::max(0.0, (portfolio - kMore) / std::max(best, Seconds(1e-6)));
}

}  // namespace

Seconds Comparison::Goal(Seconds best) { return kTimesMax * best + kMore; }

double Comparison::Compared::beyond() const { return Beyond(cpu, best_cpu); }

size_t Comparison::BestOf(const std::vector<Verdict>& verdicts) const {
  size_t best = 0;
  for (size_t i = 1; i < engines_.size(); ++i) {
    if (engines_[i].portfolio_share == 0 || !verdicts[i].decided()) continue;
    if (best == 0 || verdicts[i].cpu < verdicts[best].cpu) best = i;
  }
  return best;
}

void Comparison::Add(const std::string& name, const std::vector<Verdict>& verdicts,
                     Table::Row& row) {
  const size_t best = BestOf(verdicts);
  const Verdict& portfolio = verdicts.front();
  if (best == 0 || !portfolio.decided()) {
    row.insert(row.end(), {best == 0 ? kNoFigure : engines_[best].name,
                           best == 0 ? kNoFigure : "MISSED", kNoFigure});
    if (best != 0) missed_.push_back(name);
    return;
  }
  const Compared& added = compared_.emplace_back(
      Compared{name, engines_[best].name, verdicts[best].cpu, portfolio.cpu});
  const bool slow = added.beyond() > kTimesMax;
  slow_by_clock_ += Beyond(portfolio.time, verdicts[best].time) > kTimesMax ? 1 : 0;
  const Seconds least(1e-6);
  row.insert(row.end(), {added.best,
                         Times(added.cpu / std::max(added.best_cpu, least)) + (slow ? " SLOW" : ""),
                         Times(portfolio.time / std::max(verdicts[best].time, least))});
}

std::string Comparison::Text(const Compared& compared) {
  return absl::StrCat(compared.name, ": ", Time(compared.cpu), ", ", compared.best, " alone ",
                      Time(compared.best_cpu), "; without ", Time(kMore), ", ",
                      Times(compared.beyond()));
}

void Comparison::Print(std::ostream& out) const {
  std::vector<Compared> worst_first = compared_;
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [](const Compared& a, const Compared& b) { return a.beyond() > b.beyond(); });
  const auto within = std::find_if(worst_first.begin(), worst_first.end(),
                                   [](const Compared& one) { return one.beyond() <= kTimesMax; });
  out << "goal: portfolio takes at most " << Times(kTimesMax) << " its best member and "
      << Time(kMore) << ", in processor time of all threads\n";
  if (!worst_first.empty()) out << "at worst: " << Text(worst_first.front()) << "\n";
  out << "beyond the goal: " << within - worst_first.begin() << " of " << worst_first.size()
      << " cases (by the wall clock, which depends on the load: " << slow_by_clock_ << ")\n";
  for (auto slow = worst_first.begin(); slow != within; ++slow) out << "  " << Text(*slow) << "\n";
  out << "answers of a member missed: " << missed_.size() << "\n";
  for (const std::string& name : missed_) out << "  " << name << "\n";
}

}  // namespace foretell::bench
