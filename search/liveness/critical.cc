#include "foretell/search/liveness/critical.h"

#include <algorithm>
#include <functional>
#include <iterator>
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

// The steps from one state into death, by kind.
std::vector<std::pair<Kind, model::PathStep>> Deaths(GlobalSpace& space, StateSearch& search,
                                                     const Fates& fates, RecoveryMoves& moves,
                                                     const GlobalState& state) {
  std::vector<std::pair<Kind, model::PathStep>> deaths;
  moves.AnyStep(space, state, /*all=*/true,
                [&](model::NodeId node, model::EventId event, const model::Step& step,
                    const GlobalState& next) {
                  const uint32_t to = search.store().Find(next.fields());
                  if (to == StateStore::kNone || !fates.dead(to)) return false;
                  model::PathStep taken = moves.table().PathStepOf(node, event, step);
                  const std::string text = KindText(moves.table().service(), taken.event);
                  deaths.push_back({{node.value(), text}, std::move(taken)});
                  return false;
                });
  return deaths;
}

struct Groups {
  std::map<Kind, CriticalGroup> by_kind;
  bool revised = false;  // Some state that was thought to be alive is dead: look again.
};

// One pass over all states that are not dead. Whoever would be the first of its kind is put to the
// oracle: only a bound may keep it alive.
Groups AllEdges(GlobalSpace& space, StateSearch& search, Fates& fates, RecoveryMoves& moves,
                Oracle& oracle, model::Budget& budget) {
  Groups groups;
  GlobalState state = search.MakeState();
  for (uint32_t i = 0; i < search.expanded_count(); ++i) {
    if (fates.dead(i)) continue;
    if (!budget.TakeStep()) break;
    search.store().Load(i, state.fields());
    auto deaths = Deaths(space, search, fates, moves, state);
    if (deaths.empty()) continue;
    const bool first = std::any_of(deaths.begin(), deaths.end(), [&](const auto& death) {
      return !groups.by_kind.contains(death.first);
    });
    const GlobalState here = oracle.Place(space, state, /*emptied=*/false);
    if (first && oracle.Judge(here, budget).fate == Oracle::Fate::kDead) {
      fates.SetDead(i);
      groups.revised = true;
      continue;
    }
    for (auto& [kind, step] : deaths) {
      auto [group, fresh] = groups.by_kind.try_emplace(kind);
      if (fresh) {
        group->second = {model::NodeId(kind.first), kind.second, 0, i, std::move(step)};
      }
      ++group->second.transitions;
    }
  }
  return groups;
}

}  // namespace

std::vector<CriticalGroup> FindCritical(GlobalSpace& space, StateSearch& search, Fates& fates,
                                        RecoveryMoves& moves, Oracle& oracle,
                                        model::Budget& budget) {
  Groups groups;
  do {
    groups = AllEdges(space, search, fates, moves, oracle, budget);
  } while (groups.revised && !budget.spent());
  std::vector<CriticalGroup> found;
  for (auto& [kind, group] : groups.by_kind) found.push_back(std::move(group));
  // Of equally long ways first those that a message ends, which can be dropped, then actions and
  // faults; of these that of the first node, as in the groups. Which of them the search came by
  // first says nothing.
  for (CriticalGroup& group : found) group.steps = search.PathTo(group.from).size() + 1;
  std::stable_sort(found.begin(), found.end(), [](const CriticalGroup& a, const CriticalGroup& b) {
    return std::pair(a.steps, a.step.event.kind) < std::pair(b.steps, b.step.event.kind);
  });
  return found;
}

namespace {

using FateAfter = std::function<Oracle::Fate(size_t steps)>;

// The last number from `low` to `high` for which `holds` does, if it does up to some and not
// beyond; `low` if for none.
size_t LastThat(size_t low, size_t high, const std::function<bool(size_t)>& holds) {
  while (low < high) {
    const size_t middle = low + (high - low + 1) / 2;
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// The places on `path` where it comes to something that nobody counts on.
std::vector<size_t> FaultsOn(const model::Service& service, const model::SystemCut& start,
                             const model::Path& path, const std::vector<model::ReplayedStep>& steps,
                             Oracle& oracle) {
  std::vector<size_t> places;
  for (size_t i = 0; i < path.size(); ++i) {
    const model::SystemCut& before = i == 0 ? start : steps[i - 1].after;
    if (!CountedOn(service, oracle.count_on(), before, path[i])) places.push_back(i);
  }
  return places;
}

// The number of steps after which a path of `length` is dead first. Between faults what is dead
// stays dead, so that halving finds it; a fault may bring it back, so that the first stretch that
// ends in death is the one to look at.
size_t FirstDead(const std::vector<size_t>& faults, size_t length, const FateAfter& fate) {
  const auto dead = [&](size_t steps) { return fate(steps) == Oracle::Fate::kDead; };
  const auto last = std::find_if(faults.begin(), faults.end(), dead);
  const size_t begin = last == faults.begin() ? 0 : *std::prev(last) + 1;
  const size_t end = last == faults.end() ? length : *last;
  if (begin == end || dead(begin)) return begin;
  return LastThat(begin, end - 1, [&](size_t steps) { return !dead(steps); }) + 1;
}

}  // namespace

model::CriticalInterval Bracket(const model::Service& service, const model::SystemCut& start,
                                const model::Path& path, Oracle& oracle, model::Budget& budget) {
  const auto steps = model::Replay(service, start, path);
  FORETELL_CHECK(steps.ok());
  const FateAfter fate = [&](size_t length) {
    const model::SystemCut& cut = length == 0 ? start : (*steps)[length - 1].after;
    return oracle.Judge(oracle.Place(cut), budget).fate;
  };
  const size_t dead = FirstDead(FaultsOn(service, start, path, *steps, oracle), path.size(), fate);
  if (dead == 0) return {};
  const auto alive = [&](size_t length) { return fate(length) == Oracle::Fate::kAlive; };
  if (alive(dead - 1)) return {dead - 1, dead};
  return {LastThat(0, dead - 1, alive), dead};
}

}  // namespace foretell::search
