#include <algorithm>

#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

constexpr auto kPaperInterface = dir::Interface::kSendsAndReceives;

// Once more, if it was so short that this means something.
template <class Run, class Once>
void Repeat(Run& run, Once once) {
  if (run.time < kShort) run.time = std::min(run.time, Sample([&] { return once().time; }));
}

// Runs all, in turn, until their times mean something.
void Measure(const DirPlan& plan, DirSubject& subject, dir::Checker checker, DirRun& reduced,
             PlainRun& plain, DirRun* sends) {
  const auto reduce = [&] { return subject.Reduced(kPaperInterface, checker, plan.budget); };
  const auto search = [&] { return subject.Plain(checker, plan.budget); };
  const auto send = [&] { return subject.Reduced(dir::Interface::kSends, checker, plan.budget); };
  reduced = reduce();
  plain = search();
  if (sends != nullptr) *sends = send();
  for (int i = 0; i < kSamples && !plan.tiny; ++i) {
    Repeat(reduced, reduce);
    Repeat(plain, search);
    if (sends != nullptr) Repeat(*sends, send);
  }
}

DirResult Measure(const DirPlan& plan, const DirRow& row, dir::DependencyMode mode) {
  DirSubject subject = SubjectOf(row, mode);
  DirResult result{&row, mode, {}, {}, subject.dependency_time(), {}, {}, {}};
  Measure(plan, subject, dir::Checker::kDpor, result.reduced, result.plain, &result.sends);
  if (plan.tiny || mode != dir::DependencyMode::kConservative) return result;
  Measure(plan, subject, dir::Checker::kDfs, result.dfs_reduced.emplace(),
          result.dfs_plain.emplace(), nullptr);
  return result;
}

std::string Validated(const DirResult& result) {
  if (result.wrong()) return "DIFFERENT";
  switch (result.judge()) {
    case DirResult::Judge::kNone: return kNoFigure;
    case DirResult::Judge::kSearch: return "yes";
    case DirResult::Judge::kFormula: return "formula";
  }
  return kNoFigure;
}

Table Explored(const DirResults& results) {
  Table table;
  table.Add({"", "paper:", "ours:", "paper:", "ours:", "paper:", "ours:", "paper:", "ours:",
             "plain search:", "n_g", "overall"});
  table.Add({"table 2", "Red-Ratio", "Red-Ratio", "skeletons", "skeletons", "local", "local", "n_g",
             "n_g", "traces", "validated", "reduction"});
  for (const DirResult& result : results) {
    const DirRow::Paper& paper = result.row->paper;
    const dir::Tally& tally = result.reduced.tally;
    const bool complete = result.reduced.complete;
    table.Add({result.name(), paper.reduction, RatioText(result.reduction()), paper.skeletons,
               CountSoFar(static_cast<double>(tally.skeletons), complete), paper.local_traces,
               CountSoFar(static_cast<double>(tally.local_traces), complete), paper.global_traces,
               CountSoFar(tally.global_traces, complete),
               CountSoFar(static_cast<double>(result.plain.traces), result.plain.complete),
               Validated(result), RatioText(OverallReduction(results, result))});
  }
  return table;
}

Table Spent(const DirResults& results) {
  Table table;
  table.Add({"", "paper:", "ours, DFS:", "ours, DPOR:", "sends only:", "paper:", "ours:", "DIR",
             "plain search", "dependency"});
  table.Add({"table 2", "RT-Ratio", "RT-Ratio", "RT-Ratio", "RT-Ratio", "Speed-up", "Speed-up",
             "time", "time", "time"});
  for (const DirResult& result : results) {
    table.Add(
        {result.name(), result.row->paper.time_ratio, RatioText(result.dfs_time_ratio()),
         RatioText(result.time_ratio()), RatioText(result.sends_time_ratio()),
         result.row->paper.speedup, RatioText(result.speedup()),
         TimeUntil(result.reduced.time, result.reduced.complete),
         TimeUntil(result.plain.time, result.plain.complete),
         result.mode == dir::DependencyMode::kExact ? Time(result.dependency_time) : kNoFigure});
  }
  return table;
}

}  // namespace

bool PrintTable2(const DirPlan& plan, DirResults& results, std::ostream& out) {
  bool right = true;
  for (const DirRow& row : kDirRows) {
    for (const dir::DependencyMode mode : kModes) {
      const bool exact = mode == dir::DependencyMode::kExact;
      if (plan.tiny && !(exact ? row.quick.exact : row.quick.conservative)) continue;
      results.push_back(Measure(plan, row, mode));
      const DirResult& result = results.back();
      right = right && !result.wrong();
      if (plan.tiny) right = right && result.reduced.complete && result.plain.complete;
    }
  }
  out << "TABLE 2, the paper's interface (sends and receives). Each search may take "
      << Time(plan.budget) << ",\n"
      << Count(kStepsMax) << " steps and " << Bytes(kBytesMax) << "; >: not complete.\n\n"
      << Explored(results).Text(2) << "\n"
      << Spent(results).Text(2);
  PrintAims(results, out);
  out << (right ? "" : "NOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
