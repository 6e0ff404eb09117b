#include "tests/bench/dir_rows.h"

#include <utility>

#include "integration/philosophers/family.h"

namespace foretell::bench {

DirSubject SubjectOf(const DirRow& row, dir::DependencyMode mode) {
  model::System system = SystemOf(row.service, row.scenario);
  const dir::Components::Groups groups =
      row.groups == 0
          ? SingleNodes(system)
          : integration::philosophers::Consecutive(system.service->node_count() / 2, row.groups);
  return DirSubject(std::move(system), groups, mode);
}

DirResult::Judge DirResult::judge() const {
  if (!reduced.complete) return Judge::kNone;
  if (plain.complete) return Judge::kSearch;
  const bool known = mode == dir::DependencyMode::kExact && row->exact_traces > 0;
  return known ? Judge::kFormula : Judge::kNone;
}

bool DirResult::wrong() const {
  const uint64_t traces = judge() == Judge::kSearch ? plain.traces : row->exact_traces;
  return judge() != Judge::kNone && reduced.tally.global_traces != static_cast<double>(traces);
}

std::optional<double> DirResult::reduction() const {
  if (!reduced.complete) return std::nullopt;
  return reduced.tally.global_traces / static_cast<double>(reduced.tally.local_traces);
}

std::optional<double> DirResult::time_ratio() const {
  if (!reduced.complete || plain.traces == 0) return std::nullopt;
  return (reduced.time / static_cast<double>(reduced.tally.local_traces)) /
         (plain.time / static_cast<double>(plain.traces));
}

std::optional<double> DirResult::speedup() const {
  if (!time_ratio()) return std::nullopt;
  return *reduction() / *time_ratio();
}

std::string RatioText(std::optional<double> ratio) {
  if (!ratio) return kNoFigure;
  std::string text = Times(*ratio);
  text.pop_back();
  return text;
}

}  // namespace foretell::bench
