#include "foretell/search/liveness/live_search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/fairness/lasso_check.h"
#include "foretell/search/liveness/shortest_way.h"
#include "foretell/search/verdict.h"

namespace foretell::search {

using model::LivenessVerdict;

namespace {

SearchOptions ForSearch(const LiveOptions& options) {
  SearchOptions result{options, Order::kBreadthFirst};
  result.all_invariants = true;
  return result;
}

// What was found is told in full, whatever the limits of the search.
model::Budget ForWords(uint64_t steps_max) {
  return model::Budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
}

}  // namespace

LiveSearch::LiveSearch(const model::Service& service, size_t property, const LiveOptions& options,
                       const model::SystemCut& start)
    : service_(service),
      property_(property),
      options_(options),
      start_(start),
      view_(service, property),
      datagrams_(service.network().kind == model::NetworkKind::kDatagrams),
      table_(view_),
      invariants_(table_),
      moves_(table_, invariants_, options.count_on),
      space_(table_, UsualCopies(service)),
      search_options_(ForSearch(options)),
      death_sets_(space_, invariants_, moves_),
      search_(space_, invariants_, search_options_, options.reduce ? &death_sets_ : nullptr),
      fates_(space_, search_, moves_),
      oracle_(invariants_, moves_, options.weights, options.seed),
      losses_(space_, search_, oracle_, fates_),
      autopsy_(service, property, options.loss, oracle_, moves_) {}

absl::StatusOr<model::Report> LiveSearch::Run(model::Budget& budget) {
  search_.Begin(space_.Start(start_));
  if (NeedsEveryNode(view_.invariants()[0].scope) && table_.neighbourhood()) {
    return Conclude(std::nullopt, budget);
  }
  if (options_.reduce) Reduce(budget);
  // Probing beyond the edge of what was searched takes the rest, where there is an edge.
  constexpr uint32_t kExactPercent = 70;
  model::Budget share = budget.Share(kExactPercent);
  Found found = Exact(share);
  budget.Charge(share);
  if (found.ok() && !*found && datagrams_ && capped_) found = CoverAll(budget);
  if (found.ok() && !*found && !search_.finished()) found = Probe(budget);
  // What is dead is worse, and was looked for first.
  const bool fair = options_.fairness != model::Fairness::kNone;
  if (found.ok() && !*found && fair) found = Cycle();
  if (!found.ok()) return found.status();
  return Conclude(*std::move(found), budget);
}

// REQUIRES: the search has not begun to expand.
void LiveSearch::Reduce(model::Budget& budget) {
  if (datagrams_ && options_.loss == Loss::kAny) {
    notes_.push_back(
        "Not reduced: what is dead by loss would be missed; --loss none leaves it out.");
    return;
  }
  if (!death_sets_.Prepare(start_, budget)) {
    notes_.push_back(
        "Not reduced: what the nodes may do could not be closed within its share of the budget.");
    return;
  }
  fates_.Reduce([this, &budget](uint32_t index) {
    GlobalState state = search_.MakeState();
    search_.store().Load(index, state.fields());
    const Oracle::Answer answer =
        oracle_.Judge(oracle_.Place(space_, state, /*emptied=*/false), budget);
    if (answer.fate == Oracle::Fate::kAlive) return Fates::Fate::kAlive;
    return answer.fate == Oracle::Fate::kDead ? Fates::Fate::kDead : Fates::Fate::kUnknown;
  });
}

// Sweeps at doublings: the frontier counts as alive, so that what is dead is proved although the
// search is not at its end.
LiveSearch::Found LiveSearch::Exact(model::Budget& budget) {
  constexpr uint64_t kFirst = 256;
  for (uint64_t target = kFirst;; target *= 2) {
    search_.Grow(static_cast<uint32_t>(std::min<uint64_t>(target, UINT32_MAX)), budget);
    capped_ = space_.TakeCapped() || capped_;
    if (!fates_.Judge(budget)) break;
    if (datagrams_ && !death_sets_.reduces() && !losses_.Judge(budget)) break;
    judged_ = search_.state_count();
    const bool last = search_.finished() || search_.state_count() < target || budget.spent();
    if (!last && options_.all_invariants) continue;
    if (fates_.dead_count() > 0) return Explain();
    const bool lost = losses_.first_dead() != StateStore::kNone && options_.loss == Loss::kAny;
    if (lost) return ExplainLoss();
    if (last) break;
  }
  return std::optional<model::Violation>();
}

// It may be although the search was cut off before it could tell, and it is what to say first:
// after a fault something may be alive again and die once more.
bool LiveSearch::StartIsDead(model::Budget& budget) {
  return fates_.dead(0) || oracle_.Judge(oracle_.Place(start_), budget).fate == Oracle::Fate::kDead;
}

// REQUIRES: some state is dead as it is.
LiveSearch::Found LiveSearch::Explain() {
  model::Budget enough = ForWords(options_.words_steps_max);
  if (StartIsDead(enough)) return autopsy_.Examine(start_, {}, enough);
  const auto groups = FindCritical(space_, search_, fates_, moves_, oracle_, enough);
  if (fates_.dead(0)) return autopsy_.Examine(start_, {}, enough);
  for (const CriticalGroup& group : groups) {
    model::Path path = search_.PathTo(group.from);
    path.push_back(group.step);
    Found violation = autopsy_.Examine(start_, path, enough);
    if (!violation.ok()) return violation;
    if (!*violation) continue;
    Describe(groups, **violation);
    return violation;
  }
  return std::optional<model::Violation>();
}

LiveSearch::Found LiveSearch::ExplainLoss() { return Along(search_.PathTo(losses_.first_dead())); }

void LiveSearch::Describe(const std::vector<CriticalGroup>& groups, model::Violation& violation) {
  auto death = std::make_shared<model::Death>(*violation.death);
  for (const CriticalGroup& group : groups) {
    model::CriticalKind kind{group.node, group.event, group.transitions,
                             search_.PathTo(group.from)};
    kind.path.push_back(group.step);
    death->kinds.push_back(std::move(kind));
  }
  violation.death = std::move(death);
}

// MaceMC's way for what is too big: states at the edge of the search, in random order, each put to
// the oracle, which walks.
LiveSearch::Found LiveSearch::Probe(model::Budget& budget) {
  constexpr uint32_t kRounds = 4;
  constexpr uint32_t kProbesMax = 4096;
  const uint32_t first = search_.expanded_count();
  const uint32_t count = search_.state_count() - first;
  GlobalState state = search_.MakeState();
  for (uint32_t i = 0; i < std::min(kProbesMax, count) && !budget.spent(); ++i) {
    const auto index = first + static_cast<uint32_t>(oracle_.Below(count));
    search_.store().Load(index, state.fields());
    const Oracle::Answer answer =
        oracle_.Judge(oracle_.Place(space_, state, /*emptied=*/false), budget, kRounds);
    if (answer.fate == Oracle::Fate::kUnknown && !budget.spent()) {
      suspected_ = answer;
      suspect_path_ = search_.PathTo(index);
      ++suspects_;
    }
    if (answer.fate != Oracle::Fate::kDead) continue;
    Found violation = Along(search_.PathTo(index));
    if (!violation.ok() || *violation) return violation;
  }
  return std::optional<model::Violation>();
}

// The critical step of a path whose end is dead, by halving: dead stays dead. If it is dead only by
// loss, that is the whole path. With a budget of its own: at the end of the search's, what was dead
// earlier on the path would count as alive.
LiveSearch::Found LiveSearch::Along(const model::Path& path) {
  model::Budget enough = ForWords(options_.words_steps_max);
  if (StartIsDead(enough)) return autopsy_.Examine(start_, {}, enough);
  const size_t dead = path.empty() ? 0 : Bracket(service_, start_, path, oracle_, enough).dead;
  const auto end = path.begin() + static_cast<std::ptrdiff_t>(dead);
  return autopsy_.Examine(start_, model::Path(path.begin(), end), enough);
}

// The path of `violation`, if there is one, or else that to the last suspect.
std::optional<model::CriticalInterval> LiveSearch::Interval(
    const std::optional<model::Violation>& violation) {
  constexpr uint64_t kSuspectSteps = 1'000'000;  // A suspicion is worth less.
  model::Budget enough = ForWords(violation ? options_.words_steps_max : kSuspectSteps);
  if (!violation && suspect_path_.empty()) return std::nullopt;
  if (!violation) return Bracket(service_, start_, suspect_path_, oracle_, enough);
  const size_t dead = violation->death->critical_step;
  if (dead == 0) return std::nullopt;
  if (!violation->death->twin.empty()) return model::CriticalInterval{dead - 1, dead};
  return Bracket(service_, start_, violation->path, oracle_, enough);
}

// The way to it is looked for in other states than those that were judged: it may be dead before.
LiveSearch::Found LiveSearch::ExplainCovered(CoverSearch& cover, uint32_t dead) {
  constexpr size_t kStepsMax = 10'000;
  constexpr uint64_t kShorterSteps = 2'000'000;
  model::Budget shorter = ForWords(std::min(kShorterSteps, options_.words_steps_max));
  auto path =
      ShortestWay(table_, invariants_, UsualCopies(service_), start_, cover.system(dead), shorter);
  if (!path) path = cover.PathTo(dead, kStepsMax);
  if (!path) return std::optional<model::Violation>();
  return Along(*path);
}

// Where nodes send again and again, every combination of node states there is, with any number of
// copies, judged with nothing in flight.
LiveSearch::Found LiveSearch::CoverAll(model::Budget& budget) {
  CoverSearch cover(table_, nullptr);
  cover.Begin(start_);
  uint32_t judged = 0;
  for (uint32_t target = 256;; target *= 2) {
    cover.Grow(target, budget, options_.progress);
    for (; judged < cover.system_count(); ++judged) {
      if (budget.spent()) return std::optional<model::Violation>();
      GlobalState state(table_.node_count());
      for (uint32_t n = 0; n < table_.node_count(); ++n) {
        state.set_state(model::NodeId(n), cover.system(judged)[n]);
      }
      const Oracle::Answer answer = oracle_.Judge(state, budget);
      if (answer.fate == Oracle::Fate::kAlive) continue;
      // With no loss, a state is dead only as it is, and what is in flight here is not known.
      if (answer.fate == Oracle::Fate::kUnknown || options_.loss == Loss::kNone) {
        suspected_ = answer;
        suspects_ += answer.fate == Oracle::Fate::kUnknown ? 1 : 0;
        return std::optional<model::Violation>();
      }
      return ExplainCovered(cover, judged);
    }
    if (!cover.finished()) continue;
    covered_ = true;
    judged_ = cover.system_count();
    return std::optional<model::Violation>();
  }
}

// A cycle is real although the search may not have ended; that there is none is known only if it
// has, and if no copy was left out.
LiveSearch::Found LiveSearch::Cycle() {
  model::Budget enough = ForWords(options_.words_steps_max);
  LassoSearch lassos(space_, search_, moves_, options_.fairness,
                     [this](uint32_t state) { return !fates_.live(state) && !fates_.dead(state); });
  const std::optional<Lasso> lasso = lassos.Find(enough);
  if (!lasso) {
    no_cycle_ = !enough.spent() && search_.finished() && !capped_ && !death_sets_.reduces();
    return std::optional<model::Violation>();
  }
  const auto holds = [this](const model::SystemCut& cut) {
    return HoldsIn(service_, property_, cut);
  };
  const absl::Status stands = CheckLasso({service_, options_.count_on, options_.fairness, start_,
                                          lasso->path, lasso->cycle_from, holds});
  if (stands.ok()) return std::optional(CycleViolation(*lasso));
  // On the way to it a copy may have been left out that in truth stays in flight.
  if (capped_) return std::optional<model::Violation>();
  return stands;
}

model::Violation LiveSearch::CycleViolation(const Lasso& lasso) const {
  const model::InvariantInfo& info = service_.invariants()[property_];
  auto death = std::make_shared<model::Death>();
  death->cycle_from = lasso.cycle_from + 1;
  const size_t steps = lasso.path.size() - lasso.cycle_from;
  death->proof = {model::DeathProof::How::kCycle, steps, /*checked=*/true};
  const std::string text = absl::StrCat(
      info.text, " It can stay away from that for ever: ",
      steps == 1 ? "the last step leaves" : absl::StrCat("the last ", steps, " steps leave"),
      " all nodes as they were. Under fairness ", model::FairnessName(options_.fairness), " (",
      model::FairnessText(options_.fairness), ") nothing ends that.");
  return {info.name, text, lasso.path, std::move(death)};
}

bool LiveSearch::KnowsDeath() const {
  return fates_.dead_count() > 0 ||
         (options_.loss == Loss::kAny && losses_.first_dead() != StateStore::kNone);
}

bool LiveSearch::Complete() const {
  return Recovers() && (options_.fairness == model::Fairness::kNone || no_cycle_);
}

std::string LiveSearch::LiveText() const {
  std::string text = "Wherever the system gets, it can still come to hold.";
  if (options_.fairness == model::Fairness::kNone) return text;
  return absl::StrCat(text, " It does, again and again, if ",
                      model::FairnessText(options_.fairness), ".");
}

bool LiveSearch::Recovers() const {
  // A death that could not be proved again from its path is no reason to call anything live.
  if (KnowsDeath()) return false;
  if (covered_) return true;
  return search_.finished() && judged_ == search_.state_count() && !capped_ &&
         losses_.unknown_count() == 0 && fates_.unknown_count() == 0;
}

model::Report LiveSearch::Conclude(std::optional<model::Violation> violation,
                                   const model::Budget& budget) {
  model::Report report;
  report.notes = notes_;
  report.stats.transitions = search_.result().transitions;
  report.stats.node_states = table_.state_count();
  report.stats.global_states = search_.state_count();
  report.stats.depth = search_.result().depth;
  report.stats.bytes = search_.bytes() + fates_.bytes();
  report.stats.visited_bytes = search_.visited_bytes() + fates_.bytes();
  report.stats.handler_executions = table_.handler_executions();
  table_.Audit();
  if (table_.nondeterminism()) return NotDeterministic(std::move(report), *table_.nondeterminism());
  auto liveness = std::make_shared<model::Liveness>();
  liveness->property = options_.property;
  liveness->fairness = options_.fairness;
  liveness->judged = judged_;
  liveness->dead = fates_.dead_count();
  liveness->interval = Interval(violation);
  if (violation) {
    liveness->verdict = violation->death->cycle_from > 0 ? LivenessVerdict::kFairCycle
                        : IsOfStart(*violation->death)   ? LivenessVerdict::kStartDead
                                                         : LivenessVerdict::kDead;
    liveness->text = violation->text;
    report.outcome = model::Outcome::kViolation;
    report.violations.push_back(*std::move(violation));
  } else if (Complete()) {
    liveness->verdict = LivenessVerdict::kLive;
    liveness->text = LiveText();
    report.complete = true;
  } else {
    Undecided(*liveness, budget);
    report.outcome = model::Outcome::kBudget;
    if (budget.spent()) report.notes.push_back(EndedBy(budget.ended_by()));
  }
  report.liveness = std::move(liveness);
  return report;
}

void LiveSearch::Undecided(model::Liveness& liveness, const model::Budget& budget) const {
  const uint64_t suspects = suspects_ + losses_.unknown_count() + fates_.unknown_count();
  const Oracle::Answer& answer = suspects_ > 0 ? suspected_ : losses_.unknown();
  // Without walks there is no figure, and so no suspicion.
  if (suspects > 0 && answer.walks > 0) {
    const double bound = 1 - std::pow(0.05, 1.0 / static_cast<double>(answer.walks));
    liveness.verdict = LivenessVerdict::kSuspected;
    liveness.text = absl::StrFormat(
        "%d of the states that were looked at may be dead: %d walks of %d steps or more did not "
        "recover, so that with 95 %% confidence fewer than %.1f %% of such walks do. Not proved.",
        suspects, answer.walks, answer.walk_steps, 100 * bound);
    return;
  }
  liveness.verdict = LivenessVerdict::kUndecided;
  if (suspects > 0) {
    liveness.text =
        absl::StrCat("of ", suspects, " states nobody could tell whether they are dead.");
    return;
  }
  if (KnowsDeath()) {
    liveness.text = "a state looks dead, and its proof did not end within its limit.";
    return;
  }
  if (Recovers()) {
    liveness.text = absl::StrCat(
        "it can always come to hold, and no fair cycle was found that stays away from it. ",
        capped_ ? absl::StrCat("Those were looked at in which at most ", UsualCopies(service_).max,
                               " of each message are in flight; the nodes can send more.")
                : "Not all states were looked at.");
    return;
  }
  liveness.text = "nothing dead was found. ";
  if (NeedsEveryNode(view_.invariants()[0].scope) && table_.neighbourhood()) {
    liveness.text += "Nodes are absent, and the predicate is about all of them.";
  } else if (!search_.finished()) {
    liveness.text += budget.spent()
                         ? absl::StrCat("The limit on ", model::LimitName(budget.ended_by()),
                                        " ended the search before all states were judged.")
                         : "The search was cut off before all states were judged.";
  } else {
    liveness.text +=
        absl::StrCat("All states were judged in which at most ", UsualCopies(service_).max,
                     " of each message are in flight; the nodes can send more.");
  }
}

}  // namespace foretell::search
