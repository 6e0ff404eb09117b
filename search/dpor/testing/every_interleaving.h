#pragma once

// All interleavings of small programs, one after the other, to judge those who follow fewer.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/dpor/reads_from.h"
#include "foretell/search/dpor/strategies.h"

namespace foretell::search::testing {

using Ids = std::vector<uint32_t>;

inline Ids Copy(ProcessIds state) { return Ids(state.begin(), state.end()); }

// A program with all that it takes to follow it.
struct Lab {
  explicit Lab(model::process::Program program)
      : service(model::MakeService(model::process::Protocol(std::move(program)))),
        table(*service),
        space(table, model::InitialCut(*service)) {}
  std::unique_ptr<model::Service> service;
  model::TransitionTable table;
  ProcessSpace space;
};

// An execution up to swaps: of what can come first, always the least process.
using Kind = std::vector<std::pair<uint32_t, uint32_t>>;
inline Kind KindOf(const Execution& execution) {
  Kind kind;
  std::vector<bool> taken(execution.size());
  while (kind.size() < execution.size()) {
    size_t least = execution.size();
    for (size_t i = 0; i < execution.size(); ++i) {
      if (taken[i]) continue;
      bool first = true;
      for (size_t j = 0; j < i; ++j) first = first && (taken[j] || !execution.Before(j, i));
      if (!first) continue;
      const bool less =
          least == execution.size() || execution.turn(i).process < execution.turn(least).process;
      if (less) least = i;
    }
    taken[least] = true;
    kind.emplace_back(execution.turn(least).process, execution.turn(least).key);
  }
  return kind;
}

// What executions come to.
struct Outcomes {
  uint64_t executions = 0;
  std::set<Ids> ends;
  std::set<Kind> kinds;
  std::set<ReadsFrom> reads;

  void Add(const Execution& execution) {
    ++executions;
    ends.insert(Copy(execution.state(execution.size())));
    kinds.insert(KindOf(execution));
    reads.insert(ReadsFromOf(execution));
  }
};

// False if there are more than `executions_max`.
inline bool FollowAll(Execution& execution, uint64_t executions_max, Outcomes& outcomes) {
  bool end = true;
  for (uint32_t p = 0; p < execution.process_count(); ++p) {
    for (const ProcessSpace::Step& step : execution.Steps(p)) {
      end = false;
      execution.Push(p, step);
      const bool fits = FollowAll(execution, executions_max, outcomes);
      execution.Truncate(execution.size() - 1);
      if (!fits) return false;
    }
  }
  if (end) outcomes.Add(execution);
  return outcomes.executions <= executions_max;
}

// Nothing if there are too many to try them all.
inline std::optional<Outcomes> EveryInterleaving(Lab& lab) {
  constexpr uint64_t kTooMany = 3000;
  Execution execution(lab.space, Relation::kExact);
  Outcomes outcomes;
  if (!FollowAll(execution, kTooMany, outcomes)) return std::nullopt;
  return outcomes;
}

struct ByStrategy {
  Followed followed;
  Outcomes outcomes;
};
inline ByStrategy FollowBy(Lab& lab, Algorithm algorithm, Relation relation, Turns turns) {
  ByStrategy by;
  Execution execution(lab.space, relation);
  DporOptions options;
  options.algorithm = algorithm;
  options.turns = turns;
  by.followed = Follow(execution, options, {.step = [] { return true; },
                                            .end =
                                                [&] {
                                                  by.outcomes.Add(execution);
                                                  return true;
                                                }});
  return by;
}

}  // namespace foretell::search::testing
