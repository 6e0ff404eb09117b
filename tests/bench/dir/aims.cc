#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

constexpr double kTimeRatioMax = 1.5;

constexpr const char* kNotes =
    "\nHow to read it:\n"
    "- The paper's n_g: its Red-Ratio times its local traces. Its systems are other programs:\n"
    "  whole Mace services, where ours are the protocols alone, with ballots, rounds, repairs\n"
    "  and timeouts bounded (integration/*/README.md). DPhi comes closest: in exact mode there\n"
    "  are 2^n - 1 traces for n philosophers (the paper checked it with MODIST, which is exact).\n"
    "- Pam-2 is unoptimised, as the paper's: nodes send to themselves, too. Pam-3 is not: there\n"
    "  would be more than 10^9 traces in conservative mode. Of several variants it is the one\n"
    "  that comes closest to the paper's counts.\n"
    "- *: the components of eight philosophers are divided in turn, into parts of two; undivided\n"
    "  they do not end (see HIERARCHY). There are (2^n - 1)(3^n - 2^n) traces.\n"
    "- Handlers are atomic here: a component that is one node has little to decide that others\n"
    "  do not see. A component of 8 philosophers has a lot.\n"
    "- Red-Ratio, as the paper defines it, compares with a plain search of the same mode. exact:\n"
    "  n_g is smaller because more orders are one and the same trace, for the plain search as\n"
    "  well; there is less left that an interface could hide, so it falls. Overall reduction:\n"
    "  how many traces of the conservative plain search one local trace stands for.\n"
    "- RT-Ratio, DFS: the embedded checker enumerates all orders, as MACEMC does, for the plain\n"
    "  search as well: what the paper's Pam, Pastry and Chord were measured with. DPOR: as\n"
    "  MODIST, the paper's DPhi. Handlers are not run again for a state they have seen, so a\n"
    "  trace of the plain search costs little here, and it is that which RT-Ratio divides by.\n"
    "  Sends only: with DPOR and the interface that engine dir has (see INTERFACE).\n"
    "- A ratio of a part would mean nothing, so there is none where DIR is not complete. Where\n"
    "  only the plain search is not, its time per trace is that of the part it did.\n"
    "- A Speed-up below 1: the plain search of the whole system takes less time.\n";

bool IsCheap(std::optional<double> ratio) { return ratio && *ratio <= kTimeRatioMax; }

// With the checker and the dependencies that the paper had for the application.
std::optional<double> TimeRatioAsInThePaper(const DirResult& result) {
  const bool modist = result.row->philosophers > 0;
  const bool exact = result.mode == dir::DependencyMode::kExact;
  if (modist != exact) return std::nullopt;
  return modist ? result.time_ratio() : result.dfs_time_ratio();
}

// If nothing took longer than a trace of the plain search.
bool IsCheapAtBest(const DirResult& result) {
  const dir::Tally& tally = result.reduced.tally;
  const auto found = static_cast<double>(tally.skeletons + tally.inner_skeletons) +
                     static_cast<double>(tally.local_traces);
  return found <= kTimeRatioMax * static_cast<double>(tally.local_traces);
}

void PrintCosts(const DirResults& results, std::ostream& out) {
  size_t complete = 0;
  size_t faster = 0;
  size_t cheap = 0;
  size_t cheap_sends = 0;
  size_t cheap_at_best = 0;
  size_t as_paper = 0;
  size_t cheap_as_paper = 0;
  for (const DirResult& result : results) {
    complete += result.reduced.complete ? 1 : 0;
    faster += result.speedup().value_or(0) > 1 ? 1 : 0;
    cheap += IsCheap(result.time_ratio()) ? 1 : 0;
    cheap_sends += IsCheap(result.sends_time_ratio()) ? 1 : 0;
    cheap_at_best += IsCheapAtBest(result) ? 1 : 0;
    as_paper += TimeRatioAsInThePaper(result) ? 1 : 0;
    cheap_as_paper += IsCheap(TimeRatioAsInThePaper(result)) ? 1 : 0;
  }
  out << "\nOf " << results.size() << " rows " << complete
      << " are complete; Speed-up is above 1 in " << faster << ".\n"
      << "RT-Ratio is at most 1.5 (the goal) in " << cheap << " with DPOR, in " << cheap_sends
      << " with the interface of\nengine dir (sends only); as the paper had it (DPhi exact with "
         "DPOR, the others\n"
      << "conservative with DFS), in " << cheap_as_paper << " of " << as_paper << ".\n"
      << "If every skeleton and every local trace took just as long as a trace of the plain\n"
      << "search, it would be so in " << cheap_at_best << " rows.\n";
}

void PrintReductions(const DirResults& results, std::ostream& out) {
  size_t pairs = 0;
  size_t better = 0;
  size_t better_overall = 0;
  for (size_t i = 0; i + 1 < results.size(); ++i) {
    const DirResult& conservative = results[i];
    const DirResult& exact = results[i + 1];
    if (conservative.row != exact.row || !exact.reduction() || !conservative.reduction()) continue;
    ++pairs;
    better += *exact.reduction() > *conservative.reduction() ? 1 : 0;
    const double before = OverallReduction(results, conservative).value_or(0);
    better_overall += OverallReduction(results, exact).value_or(0) > before ? 1 : 0;
  }
  out << "Red-Ratio is higher in exact mode than in conservative mode (the goal) in " << better
      << " of " << pairs << " applications\nthat are complete in both, the overall reduction in "
      << better_overall << ".\n";
}

}  // namespace

void PrintAims(const DirResults& results, std::ostream& out) {
  PrintCosts(results, out);
  PrintReductions(results, out);
  out << kNotes;
}

}  // namespace foretell::bench
