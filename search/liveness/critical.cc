#include "foretell/search/liveness/critical.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"

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

}  // namespace foretell::search
