#include "foretell/tests/bench/dir/rows.h"

#include <utility>

#include "absl/strings/str_format.h"

namespace foretell::bench {

DirSubject SubjectOf(const DirRow& row, dir::DependencyMode mode) {
  constexpr uint32_t kEight = 8;
  model::System system = SystemOf(row.service, row.scenario);
  std::vector<uint32_t> levels = {row.philosophers / kEight};
  if (mode == dir::DependencyMode::kConservative) levels.insert(levels.end(), {2, 2});
  dir::Components components =
      row.philosophers == 0 ? SingleNodes(system) : Consecutive(system, levels);
  return DirSubject(std::move(system), std::move(components), mode);
}

std::optional<double> ExpectedTraces(const DirRow& row, dir::DependencyMode mode) {
  if (row.philosophers == 0) return std::nullopt;
  return RingTraces(row.philosophers, mode);
}

DirResult::Judge DirResult::judge() const {
  if (!reduced.complete) return Judge::kNone;
  if (plain.complete) return Judge::kSearch;
  return ExpectedTraces(*row, mode) ? Judge::kFormula : Judge::kNone;
}

bool DirResult::wrong() const {
  if (judge() == Judge::kNone) return false;
  const double traces =
      judge() == Judge::kSearch ? static_cast<double>(plain.traces) : *ExpectedTraces(*row, mode);
  return IsOff(reduced.tally.global_traces, traces);
}

std::optional<double> DirResult::reduction() const {
  if (!reduced.complete) return std::nullopt;
  return reduced.tally.global_traces / static_cast<double>(reduced.tally.local_traces);
}

std::optional<double> DirResult::TimeRatio(const DirRun& reduced, const PlainRun& plain) {
  if (!reduced.complete || plain.traces == 0) return std::nullopt;
  return (reduced.time / static_cast<double>(reduced.tally.local_traces)) /
         (plain.time / static_cast<double>(plain.traces));
}

std::optional<double> DirResult::dfs_time_ratio() const {
  if (!dfs_reduced || !dfs_plain) return std::nullopt;
  return TimeRatio(*dfs_reduced, *dfs_plain);
}

std::optional<double> DirResult::speedup() const {
  if (!time_ratio()) return std::nullopt;
  return *reduction() / *time_ratio();
}

std::optional<double> OverallReduction(const DirResults& results, const DirResult& result) {
  if (!result.reduced.complete) return std::nullopt;
  for (const DirResult& other : results) {
    const bool base = other.row == result.row && other.mode == dir::DependencyMode::kConservative;
    if (!base || !other.reduced.complete) continue;
    return other.reduced.tally.global_traces /
           static_cast<double>(result.reduced.tally.local_traces);
  }
  return std::nullopt;
}

std::string RatioText(std::optional<double> ratio) {
  if (!ratio) return kNoFigure;
  constexpr double kLarge = 1e9;
  if (*ratio >= kLarge) return absl::StrFormat("%.3g", *ratio);
  std::string text = Times(*ratio);
  text.pop_back();
  return text;
}

}  // namespace foretell::bench
