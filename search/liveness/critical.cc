#include "foretell/search/liveness/critical.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {

using model::EventKind;

std::string KindText(const model::Service& service, const model::Event& event) {
  const std::string kind = model::InfoOf(event.kind).name;
  if (event.kind != EventKind::kDeliver && event.kind != EventKind::kAction) return kind;
  const bool deliver = event.kind == EventKind::kDeliver;
  const auto names = deliver ? service.message_kinds() : service.action_kinds();
  if (names.empty()) {
    return absl::StrCat(
        kind, " ", deliver ? service.RenderMessage(event.body) : service.RenderAction(event.body));
  }
  const size_t index = deliver ? service.MessageKind(event.body) : service.ActionKind(event.body);
  return absl::StrCat(kind, " ", names[index]);
}

namespace {

using Kind = std::pair<uint32_t, std::string>;  // Node and event.

// One pass over all states that are not dead.
std::map<Kind, CriticalGroup> AllEdges(GlobalSpace& space, StateSearch& search, const Fates& fates,
                                       RecoveryMoves& moves, model::Budget& budget) {
  std::map<Kind, CriticalGroup> groups;
  GlobalState state = search.MakeState();
  for (uint32_t i = 0; i < search.expanded_count(); ++i) {
    if (fates.dead(i)) continue;
    if (!budget.TakeStep()) break;
    search.store().Load(i, state.fields());
    moves.AnyStep(space, state, /*all=*/true,
                  [&](model::NodeId node, model::EventId event, const model::Step& step,
                      const GlobalState& next) {
                    const uint32_t to = search.store().Find(next.fields());
                    if (to == StateStore::kNone || !fates.dead(to)) return false;
                    model::PathStep path_step = moves.table().PathStepOf(node, event, step);
                    const std::string text = KindText(moves.table().service(), path_step.event);
                    auto [group, fresh] = groups.try_emplace({node.value(), text});
                    if (fresh) {
                      group->second = {node, text, 0, i, std::move(path_step), true};
                    }
                    ++group->second.transitions;
                    return false;
                  });
  }
  return groups;
}

}  // namespace

std::vector<CriticalGroup> FindCritical(GlobalSpace& space, StateSearch& search, Fates& fates,
                                        RecoveryMoves& moves, Oracle& oracle,
                                        model::Budget& budget) {
  std::vector<CriticalGroup> found;
  for (bool again = true; again;) {
    again = false;
    found.clear();
    GlobalState state = search.MakeState();
    for (auto& [kind, group] : AllEdges(space, search, fates, moves, budget)) {
      search.store().Load(group.from, state.fields());
      const GlobalState here = oracle.Place(space, state, /*emptied=*/false);
      const Oracle::Fate fate = oracle.Judge(here, budget).fate;
      if (fate == Oracle::Fate::kDead) {
        fates.SetDead(group.from);
        again = !budget.spent();
      }
      group.certain = fate == Oracle::Fate::kAlive;
      found.push_back(std::move(group));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const CriticalGroup& a, const CriticalGroup& b) { return a.from < b.from; });
  return found;
}

model::CriticalInterval Bracket(const model::Service& service, const model::SystemCut& start,
                                const model::Path& path, Oracle& oracle, model::Budget& budget) {
  const auto steps = model::Replay(service, start, path);
  FORETELL_CHECK(steps.ok());
  const auto fate = [&](size_t length) {
    const model::SystemCut& cut = length == 0 ? start : (*steps)[length - 1].after;
    return oracle.Judge(oracle.Place(cut), budget).fate;
  };
  size_t dead = path.size();
  for (size_t low = 0; low < dead;) {
    const size_t middle = low + (dead - low) / 2;
    if (fate(middle) == Oracle::Fate::kDead) {
      dead = middle;
    } else {
      low = middle + 1;
    }
  }
  if (dead == 0) return {};
  if (fate(dead - 1) == Oracle::Fate::kAlive) return {dead - 1, dead};
  size_t alive = 0;
  for (size_t high = dead - 1; alive < high;) {
    const size_t middle = alive + (high - alive + 1) / 2;
    if (fate(middle) == Oracle::Fate::kAlive) {
      alive = middle;
    } else {
      high = middle - 1;
    }
  }
  return {alive, dead};
}

}  // namespace foretell::search
