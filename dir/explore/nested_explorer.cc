#include "foretell/dir/explore/nested_explorer.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"

namespace foretell::dir {
namespace {

// Counts are exact below 2^53.
constexpr double kCountMax = 1e15;

}  // namespace

NestedExplorer::NestedExplorer(const CheckSetting& setting, NumberedTable& table,
                               ComponentId component, Checker checker)
    : setting_(setting.WithComponents(*setting.components.division(component))),
      jobs_(MakeInlineEngine()),
      parts_(setting_, table, setting, component, checker, *jobs_) {
  if (setting.projection == nullptr) return;
  cuts_.emplace(table.transitions, setting.start, setting.components.nodes(component));
}

bool NestedExplorer::Explore(const Environment& environment, model::Budget& budget,
                             LocalTraces& traces) {
  parts_.Enter(environment);
  const bool complete = parts_.Explore(budget, cuts_ ? this : nullptr, nullptr);
  traces.clear();
  absl::flat_hash_map<const Behaviour*, size_t> found;
  for (const auto& skeleton : parts_.skeletons()) {
    const auto [at, fresh] = found.try_emplace(skeleton->component_behaviour, traces.size());
    if (fresh) traces.emplace_back(skeleton->component_behaviour, 0);
    traces[at->second].second +=
        static_cast<uint64_t>(std::min(parts_.TraceCount(*skeleton), kCountMax));
  }
  return complete || parts_.cut_off();
}

// Finds invariants broken by nodes of different parts. Those that a part breaks alone are not
// visible here.
bool NestedExplorer::Visit(const Skeleton& skeleton, Composer& composer, model::Budget&) {
  const model::InvariantSet broken = cuts_->CheckWithin(composer.Replay(skeleton.trace));
  if (broken != 0) suspects_.push_back({composer.ComponentBehaviour(), broken});
  return true;
}

// Passes on a suspect of a part. The level above confirms it, or the one above that.
bool NestedExplorer::Confirm(const Skeleton& skeleton, Composer& composer,
                             model::InvariantSet broken) {
  const model::InvariantSet open = cuts_->open();
  // Invariants that the parts break together are seen here first, and not again.
  const model::InvariantSet together = cuts_->CheckWithin(composer.Replay(skeleton.trace));
  const model::InvariantSet news = together | (broken & open);
  if (news != 0) suspects_.push_back({composer.ComponentBehaviour(), news});
  return true;
}

void NestedExplorer::Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop) {
  parts_.Attach(held, stop);
}

ComponentExplorer::Figures NestedExplorer::figures() const {
  const Tally tally = parts_.tally();
  return {.local_traces = tally.explored_traces,
          .transitions = tally.transitions,
          .blocked = tally.blocked,
          .skeletons = tally.skeletons + tally.inner_skeletons,
          .cut_off = parts_.cut_off()};
}

}  // namespace foretell::dir
