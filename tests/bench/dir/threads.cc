#include <string>

#include "foretell/tests/bench/dir/sections.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

constexpr int kPairs = 101;

struct Case {
  size_t row;
  dir::DependencyMode mode;
};
constexpr std::array<Case, 3> kCases = {{{1, dir::DependencyMode::kExact},
                                         {3, dir::DependencyMode::kExact},
                                         {7, dir::DependencyMode::kConservative}}};

bool Same(const dir::Tally& a, const dir::Tally& b) {
  return a.skeletons == b.skeletons && a.local_traces == b.local_traces &&
         a.global_traces == b.global_traces;
}

}  // namespace

bool PrintThreads(const DirPlan& plan, std::ostream& out) {
  const std::string several = std::to_string(plan.threads) + " threads";
  Table table;
  table.Add(
      {"local traces per second", "1 thread", several, "1 thread", several, "ratio", "ratio"});
  table.Add({"", "median", "median", "best", "best", "of medians", "of best"});
  bool right = true;
  for (const Case& one : kCases) {
    const DirRow& row = kDirRows[one.row];
    DirSubject subject = SubjectOf(row, one.mode);
    std::optional<dir::Tally> first;
    const auto run = [&](uint32_t threads) {
      const auto jobs = dir::MakeThreadEngine(threads);
      const DirRun done = subject.Reduced(dir::Interface::kSendsAndReceives, dir::Checker::kDpor,
                                          Seconds(600), *jobs);
      if (!first) first = done.tally;
      right = right && done.complete && Same(*first, done.tally);
      return static_cast<double>(done.tally.local_traces) / done.time.count();
    };
    std::vector<double> by_one;
    std::vector<double> by_several;
    for (int i = 0; i < kPairs; ++i) {
      by_one.push_back(run(1));
      by_several.push_back(run(plan.threads));
    }
    table.Add({std::string(row.name) + ", " + ModeName(one.mode),
               Count(static_cast<uint64_t>(Median(by_one))),
               Count(static_cast<uint64_t>(Median(by_several))),
               Count(static_cast<uint64_t>(Quantile(by_one, 1))),
               Count(static_cast<uint64_t>(Quantile(by_several, 1))),
               Times(Median(by_several) / Median(by_one)),
               Times(Quantile(by_several, 1) / Quantile(by_one, 1))});
  }
  out << "THREADS for local explorers, beside the thread of the global explorer; " << kPairs
      << " runs each, in turn\n\n"
      << table.Text(2)
      << (right ? "\nSkeletons, local traces and n_g are the same in all runs.\n"
                : "\nNOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
