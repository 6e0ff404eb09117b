#include "foretell/search/prefixes/prefix_search.h"

#include <algorithm>
#include <utility>

#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/critical.h"
#include "foretell/search/liveness/fates.h"
#include "foretell/search/liveness/losses.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

using model::CutFate;
using model::SystemCut;

PrefixSearch::PrefixSearch(const model::Service& service, size_t property,
                           const LiveOptions& options)
    : service_(service),
      options_(options),
      view_(service, property),
      table_(view_),
      invariants_(table_),
      moves_(table_, invariants_, options.count_on),
      oracle_(invariants_, moves_, options.weights, options.seed),
      walker_(oracle_.space(), moves_, options.weights, options.seed),
      autopsy_(service, property, options.loss, oracle_, moves_),
      begun_(2 * size_t{table_.node_count()}) {}

bool PrefixSearch::Covers(const SystemCut& cut) const {
  return !model::IsNeighbourhood(cut) || !NeedsEveryNode(view_.invariants()[0].scope);
}

PrefixSearch::Result PrefixSearch::Recorded(std::span<const SystemCut> cuts,
                                            model::Budget& budget) {
  fates_.assign(cuts.size(), CutFate::kUndecided);
  for (size_t i = 0; i < cuts.size() && !budget.spent(); ++i) {
    if (absl::Status valid = model::ValidateCut(service_, cuts[i]); !valid.ok()) return valid;
    fates_[i] = FateOf(cuts[i], budget);
  }
  const auto dead = std::find(fates_.begin(), fates_.end(), CutFate::kDead);
  if (dead == fates_.end()) return std::optional<Found>();
  const auto first = static_cast<size_t>(dead - fates_.begin());
  const bool known = first > 0 && fates_[first - 1] != CutFate::kUndecided;
  const auto way = known ? WayBetween(cuts[first - 1], cuts[first], budget) : std::nullopt;
  const size_t from = way ? first - 1 : first;
  Result found = Examine(cuts[from], way.value_or(model::Path()), budget);
  if (found.ok() && *found) (*found)->from = from;
  return found;
}

CutFate PrefixSearch::FateOf(const SystemCut& cut, model::Budget& budget) {
  if (!Covers(cut)) return CutFate::kUndecided;
  const GlobalState state = oracle_.Place(cut);
  if (moves_.Live(state)) return CutFate::kLive;
  switch (oracle_.Judge(state, budget).fate) {
    case Oracle::Fate::kAlive: return CutFate::kRecovers;
    case Oracle::Fate::kDead: return CutFate::kDead;
    case Oracle::Fate::kUnknown: break;
  }
  return CutFate::kUndecided;
}

// A shortest one. What was in flight and got lost is still in flight, as in the cuts.
std::optional<model::Path> PrefixSearch::WayBetween(const SystemCut& from, const SystemCut& to,
                                                    model::Budget& budget) {
  constexpr uint32_t kStatesMax = 1 << 16;
  GlobalSpace space(table_);
  const SearchOptions options;
  StateSearch search(space, invariants_, options, nullptr);
  search.Begin(space.Start(from));
  const GlobalState end = space.Start(to);
  for (uint32_t target = 256; target <= kStatesMax; target *= 2) {
    search.Grow(target, budget);
    const uint32_t index = search.store().Find(end.fields());
    if (index != StateStore::kNone) return search.PathTo(index);
    if (search.finished() || budget.spent()) break;
  }
  return std::nullopt;
}

// Up to the critical step of `path`, whose end is dead.
PrefixSearch::Result PrefixSearch::Examine(const SystemCut& start, const model::Path& path,
                                           model::Budget& budget) {
  std::optional<model::CriticalInterval> interval;
  if (!path.empty()) interval = Bracket(service_, start, path, oracle_, budget);
  const size_t dead = interval ? interval->dead : 0;
  const auto end = path.begin() + static_cast<std::ptrdiff_t>(dead);
  auto violation = autopsy_.Examine(start, model::Path(path.begin(), end), budget);
  if (!violation.ok()) return violation.status();
  if (!*violation) return std::optional<Found>();
  if (dead == 0) interval.reset();
  return std::optional(Found{**std::move(violation), 0, interval});
}

PrefixSearch::Result PrefixSearch::FromLiveExecutions(const SystemCut& start,
                                                      model::Budget& budget) {
  constexpr uint32_t kWalksMax = 256;
  for (uint32_t i = 0; i < kWalksMax && !budget.spent(); ++i) {
    std::optional<model::Path> path = LiveExecution(start, budget);
    if (!path) continue;
    const auto steps = model::Replay(service_, start, *path);
    if (!steps.ok()) return steps.status();
    const SystemCut prefix = steps->empty() ? start : steps->back().after;
    if (!begun_.Insert(oracle_.Place(prefix).fields(), StateStore::kNone).fresh) continue;
    ++executions_;
    const auto way = DeathFrom(prefix, budget);
    if (!way) continue;
    path->insert(path->end(), way->begin(), way->end());
    Result found = Examine(start, *path, budget);
    if (!found.ok() || *found) return found;
  }
  return std::optional<Found>();
}

// A walk that goes on for a while, and then until the predicate holds.
std::optional<model::Path> PrefixSearch::LiveExecution(const SystemCut& start,
                                                       model::Budget& budget) {
  constexpr uint32_t kStepsMax = 4096;
  constexpr uint64_t kAheadMax = 64;
  const uint64_t ahead = walker_.Below(kAheadMax);
  const uint64_t begin = walker_.steps();
  const auto stop = [&](const GlobalState& s) {
    return walker_.steps() - begin >= ahead && moves_.Live(s);
  };
  if (!walker_.Walk(oracle_.Place(start), kStepsMax, budget, stop)) return std::nullopt;
  return oracle_.space().PathThrough(walker_.visited(), &moves_);
}

// A bounded exhaustive search from `prefix`, and the oracle on states at its edge.
std::optional<model::Path> PrefixSearch::DeathFrom(const SystemCut& prefix, model::Budget& budget) {
  constexpr uint32_t kStatesMax = 4096;
  constexpr uint32_t kProbes = 64;
  constexpr uint32_t kRounds = 3;
  GlobalSpace space(table_, UsualCopies(service_));
  const SearchOptions options;
  StateSearch search(space, invariants_, options, nullptr);
  Fates fates(space, search, moves_);
  Losses losses(space, search, oracle_, fates);
  search.Begin(space.Start(prefix));
  search.Grow(kStatesMax, budget);
  if (!fates.Judge(budget)) return std::nullopt;
  const bool datagrams = service_.network().kind == model::NetworkKind::kDatagrams;
  if (datagrams && !losses.Judge(budget)) return std::nullopt;
  if (fates.dead_count() > 0) return search.PathTo(fates.first_dead());
  if (losses.first_dead() != StateStore::kNone && options_.loss == Loss::kAny) {
    return search.PathTo(losses.first_dead());
  }
  const uint32_t first = search.expanded_count();
  const uint32_t edge = search.state_count() - first;
  GlobalState state = search.MakeState();
  for (uint32_t i = 0; i < std::min(kProbes, edge) && !budget.spent(); ++i) {
    const auto index = first + static_cast<uint32_t>(walker_.Below(edge));
    search.store().Load(index, state.fields());
    const auto answer = oracle_.Judge(oracle_.Place(space, state, false), budget, kRounds);
    if (answer.fate == Oracle::Fate::kDead) return search.PathTo(index);
  }
  return std::nullopt;
}

}  // namespace foretell::search
