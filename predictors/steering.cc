#include "foretell/predictors/steering.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/death_search.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/views/horizon.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/predictors/violation_search.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::EventKind;
using model::FaultKind;
using model::Path;
using model::PathStep;
using model::Service;
using snapshot::Filter;
using Filters = std::vector<Filter>;

bool Vetoes(const Filters& filters, const PathStep& step) {
  return std::any_of(filters.begin(), filters.end(), [&step](const Filter& filter) {
    return filter.node == step.node && filter.event == step.event;
  });
}

// A service that is steered: with vetoes in place, and without faults that are not imagined.
class Steered {
 public:
  Steered(const Service& service, const model::SystemCut& cut, const Steady& steady,
          const Filters& filters)
      : steady_(service, cut, steady, filters), filtered_(steady_, filters) {}
  Steered(const Steered&) = delete;
  Steered& operator=(const Steered&) = delete;
  const Service& service() const { return filtered_; }

 private:
  const SteadyService steady_;
  const FilteredService filtered_;
};

bool AmongFirst(const Path& path, size_t count, const PathStep& step) {
  return std::any_of(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count),
                     [&step](const PathStep& other) {
                       return other.node == step.node && other.event == step.event;
                     });
}

class Planner {
 public:
  Planner(const Service& service, const model::Imagined& space, const model::Violation& violation,
          const SteeringOptions& options, Budget& budget)
      : service_(service),
        space_(space),
        violation_(violation),
        path_(violation.path),
        options_(options),
        budget_(budget) {}

  absl::StatusOr<Plan> Make() {
    if (path_.size() > options_.steps_max) {
      return Plan{.text = absl::StrCat("No plan: it is ", path_.size(),
                                       " steps away, and plans are made up to ", options_.steps_max,
                                       ".")};
    }
    const std::vector<std::string> ruled_out = options_.steady.RuledOut(path_);
    if (!violation_.death && !ruled_out.empty()) {
      return Plan{.text = absl::StrCat("No plan: it takes that ", absl::StrJoin(ruled_out, " and "),
                                       ", which has not happened and need not be expected.")};
    }
    if (violation_.death && FaultsOf(service_, path_) > 0) {
      return Plan{.text =
                      "No plan: it takes a fault, which nobody can veto; there can be one when "
                      "it has happened."};
    }
    std::vector<size_t> candidates = Candidates();
    // The critical step is what kills; what comes before it may be all that the service is for.
    if (violation_.death) std::reverse(candidates.begin(), candidates.end());
    if (path_.empty()) return Plan{.text = "No plan: it has happened already."};
    if (candidates.empty()) {
      return Plan{.text =
                      "No plan: no event of the path can be vetoed on a node that may be "
                      "steered."};
    }
    if (absl::Status status = MeasureUnfiltered(); !status.ok()) return status;
    auto plan = PlanFromAny(candidates, Pick::kEarliest, IsLively() ? 60 : 100);
    if (plan.ok() && !*plan && starves_) {
      std::reverse(candidates.begin(), candidates.end());
      plan = PlanFromAny(candidates, Pick::kGentlest, 100);
    }
    if (!plan.ok()) return plan.status();
    if (*plan) return **std::move(plan);
    return Plan{.text = absl::StrCat("No plan: ", absl::StrJoin(reasons_, "; "), ".")};
  }

  absl::StatusOr<std::vector<Plan>> MakeAll() {
    std::vector<Plan> all;
    if (absl::Status status = MeasureUnfiltered(); !status.ok()) return status;
    const std::vector<size_t> candidates = Candidates();
    for (size_t i = 0; i < candidates.size(); ++i) {
      reasons_.clear();
      Budget share = budget_.Share(static_cast<uint32_t>(100 / (candidates.size() - i)));
      auto plan = PlanFrom(candidates[i], Pick::kEarliest, share);
      if (plan.ok() && !*plan && IsLively()) plan = PlanFrom(candidates[i], Pick::kGentlest, share);
      budget_.Charge(share);
      if (!plan.ok()) return plan.status();
      all.push_back(plan->value_or(
          Plan{.step = candidates[i],
               .text = absl::StrCat("No plan: ", absl::StrJoin(reasons_, "; "), ".")}));
    }
    return all;
  }

 private:
  // The steps of the path that can be vetoed.
  std::vector<size_t> Candidates() const {
    std::vector<size_t> candidates;
    for (size_t i = 0; i < path_.size(); ++i) {
      if (VetoOf(path_[i], {})) candidates.push_back(i);
    }
    return candidates;
  }

  // The filter that would stop `step`, besides `planned`; nothing if nobody may or can.
  std::optional<Filter> VetoOf(const PathStep& step, const Filters& planned) const {
    if (step.node.index() >= options_.steerable.size()) return std::nullopt;
    if (!options_.steerable[step.node.index()]) return std::nullopt;
    if (step.event.kind == EventKind::kAction && !service_.Timing(step.event.body).vetoable) {
      return std::nullopt;
    }
    // A fault that leads into death is a risk, and nothing to be vetoed.
    if (violation_.death && HelpOf(service_, step.event) == model::Help::kAdverse) {
      return std::nullopt;
    }
    const auto kind = snapshot::KindFor(snapshot::TargetOf(service_, step.event));
    if (!kind) return std::nullopt;
    if (snapshot::TraitsOf(*kind).breaks && BreaksLeft(step.node, planned) == 0) {
      return std::nullopt;
    }
    Filter filter;
    filter.invariant = violation_.invariant;
    filter.kind = *kind;
    filter.node = step.node;
    filter.event = step.event;
    return filter;
  }

  // What the checker must still be able to take itself (FilteredService).
  size_t BreaksLeft(model::NodeId node, const Filters& planned) const {
    const auto resets = std::count_if(planned.begin(), planned.end(), [&](const Filter& filter) {
      return filter.node == node && snapshot::TraitsOf(filter.kind).breaks;
    });
    const size_t used =
        space_.cut.nodes[node.index()].faults[FaultKind::kBreak] + static_cast<size_t>(resets);
    const size_t most = service_.faults(node)[FaultKind::kBreak];
    return most > used ? most - used : 0;
  }

  // Which event of a way is vetoed. The earliest leaves the most time. Where that stops all that
  // the service is for, it is the latest that does not.
  enum class Pick : uint8_t { kEarliest, kGentlest };

  // The first plan that there is whose first veto is on one of `candidates`, in their order.
  absl::StatusOr<std::optional<Plan>> PlanFromAny(const std::vector<size_t>& candidates, Pick pick,
                                                  uint32_t percent) {
    Budget whole = budget_.Share(percent);
    for (size_t i = 0; i < candidates.size(); ++i) {
      Budget share = whole.Share(static_cast<uint32_t>(100 / (candidates.size() - i)));
      absl::StatusOr<std::optional<Plan>> plan = PlanFrom(candidates[i], pick, share);
      whole.Charge(share);
      if (plan.ok() && !*plan) continue;
      budget_.Charge(whole);
      return plan;
    }
    budget_.Charge(whole);
    return std::optional<Plan>();
  }

  // A plan whose first veto is on step `first` of the path.
  absl::StatusOr<std::optional<Plan>> PlanFrom(size_t first, Pick pick, Budget& budget) {
    assumes_ = FaultsIn(path_);
    Filters filters = {*VetoOf(path_[first], {})};
    if (pick == Pick::kGentlest && Starves(filters)) return RefuseStarving();
    while (true) {
      absl::StatusOr<SearchOutcome> outcome = SearchForPredicted(filters, budget);
      if (!outcome.ok()) return outcome.status();
      if (!outcome->path) return Finish(first, std::move(filters), *outcome, budget);
      Assume(*outcome->path);
      const auto next = violation_.death          ? NextVetoOfDeath(*outcome->path, filters, budget)
                        : pick == Pick::kGentlest ? GentlestVeto(*outcome->path, filters)
                                                  : NextVeto(*outcome->path, first, filters);
      if (!next) return Refuse("some ways to it have no event that can be vetoed");
      if (filters.size() == options_.filters_max) {
        return Refuse(absl::StrCat("it takes more than ", options_.filters_max, " filters"));
      }
      filters.push_back(*next);
    }
  }

  absl::StatusOr<std::optional<Plan>> Finish(size_t first, Filters filters,
                                             const SearchOutcome& outcome, Budget& budget) {
    if (!IsConclusive(outcome, unfiltered_steps_)) {
      return Refuse("the budget does not last to check a plan");
    }
    if (Starves(filters)) return RefuseStarving();
    absl::StatusOr<std::optional<std::string>> progress = FindProgress(filters, budget);
    if (!progress.ok()) return progress.status();
    if (!*progress) return std::optional<Plan>();
    Plan plan{.step = first, .complete = outcome.complete, .steps_unfiltered = unfiltered_steps_};
    plan.text =
        absl::StrCat(VetoText(filters), ": no other way to ", violation_.death ? "kill " : "break ",
                     violation_.invariant, " was found ",
                     outcome.complete ? std::string("by a complete search")
                                      : absl::StrCat("within ", outcome.steps, " steps"),
                     ", and ", **progress, ".");
    plan.filters = std::move(filters);
    plan.assumes = assumes_;
    return std::optional(std::move(plan));
  }

  // The earliest event of another way to the violation. Not one that the plan left alone on the
  // predicted path: to stop that was tried first, and did not do.
  std::optional<Filter> NextVeto(const Path& way, size_t first, const Filters& filters) const {
    for (const PathStep& step : way) {
      if (Vetoes(filters, step) || AmongFirst(path_, first, step)) continue;
      if (auto filter = VetoOf(step, filters)) return filter;
    }
    return std::nullopt;
  }

  std::optional<Filter> GentlestVeto(const Path& way, const Filters& filters) {
    for (size_t i = way.size(); i-- > 0;) {
      auto filter = VetoOf(way[i], filters);
      if (!filter || Vetoes(filters, way[i])) continue;
      Filters more = filters;
      more.push_back(*filter);
      if (!Starves(more)) return filter;
    }
    return std::nullopt;
  }

  // The latest event of another way into death that the predicate can do without.
  std::optional<Filter> NextVetoOfDeath(const Path& way, const Filters& filters,
                                        Budget& budget) const {
    for (size_t i = way.size(); i-- > 0;) {
      auto filter = VetoOf(way[i], filters);
      if (!filter || Vetoes(filters, way[i])) continue;
      Filters more = filters;
      more.push_back(*filter);
      const auto steps =
          StepsToLive(FilteredService(service_, more), space_, violation_.invariant, budget);
      if (steps.ok() && *steps) return filter;
    }
    return std::nullopt;
  }

  // Searches in the focus, which is all that this start adds to the others that are imagined; those
  // have their own turn (predictors/round_plan.h).
  absl::StatusOr<SearchOutcome> SearchForPredicted(const Filters& filters, Budget& budget) const {
    constexpr uint32_t kSharePercent = 50;
    Budget share = budget.Share(kSharePercent);
    absl::StatusOr<SearchOutcome> outcome =
        SearchForSame(With(filters).service(), space_, violation_, share);
    budget.Charge(share);
    return outcome;
  }

  absl::Status MeasureUnfiltered() {
    constexpr uint32_t kSharePercent = 20;
    Budget share = budget_.Share(kSharePercent);
    absl::StatusOr<SearchOutcome> outcome = SearchForPredicted({}, share);
    budget_.Charge(share);
    if (!outcome.ok()) return outcome.status();
    if (outcome->path) unfiltered_steps_ = outcome->steps;
    return absl::OkStatus();
  }

  // Whether liveness predicates come to hold again and again while nothing goes wrong.
  bool IsLively() {
    if (violation_.death) return false;
    if (!lively_) lively_ = HoldAgain(service_, space_.cut, violation_.invariant);
    return !lively_->empty();
  }

  // Whether they do, and none does any more if vetoes like these are made each time.
  bool Starves(const Filters& filters) {
    if (!IsLively()) return false;
    const FilteredService alike(service_, filters, FilteredService::Reach::kAlike);
    return HoldAgain(alike, space_.cut, violation_.invariant).empty();
  }

  // A text on the progress that the service can still make with `filters` in place; nothing if none
  // was found.
  absl::StatusOr<std::optional<std::string>> FindProgress(const Filters& filters, Budget& budget) {
    if (violation_.death) return FindLife(filters, budget);
    const std::vector<std::string> goals = OpenGoals(service_, space_.focus);
    if (!goals.empty()) {
      absl::StatusOr<bool> reached = Reaches(goals, filters, budget);
      if (!reached.ok()) return reached.status();
      const std::string names = absl::StrJoin(goals, " or ");
      if (*reached) return std::optional(absl::StrCat(names, " can still come to hold"));
      if (!reaches_unfiltered_) {
        absl::StatusOr<bool> unfiltered = Reaches(goals, {}, budget);
        if (!unfiltered.ok()) return unfiltered.status();
        reaches_unfiltered_ = *unfiltered;
      }
      if (*reaches_unfiltered_) {
        AddReason(absl::StrCat("a plan that stops it also stops ", names));
        return std::optional<std::string>();
      }
    }
    std::optional<std::string> moves = FindMove(filters);
    if (!moves) AddReason("a plan that stops it stops everything");
    return moves;
  }

  // With the vetoes in place it must still be alive: a datagram that is dropped may have been the
  // one that was needed.
  absl::StatusOr<std::optional<std::string>> FindLife(const Filters& filters, Budget& budget) {
    const auto steps =
        StepsToLive(FilteredService(service_, filters), space_, violation_.invariant, budget);
    if (!steps.ok()) return steps.status();
    if (*steps) return std::optional(absl::StrCat(violation_.invariant, " can still come to hold"));
    AddReason(absl::StrCat("a plan that stops it kills ", violation_.invariant, " itself"));
    return std::optional<std::string>();
  }

  absl::StatusOr<bool> Reaches(const std::vector<std::string>& goals, const Filters& filters,
                               Budget& budget) const {
    const Steered steered = With(filters);
    const InvariantView view = InvariantView::Goals(steered.service(), goals, violation_.invariant);
    constexpr uint32_t kSharePercent = 50;
    Budget share = budget.Share(kSharePercent);
    absl::StatusOr<SearchOutcome> outcome =
        SearchForViolation(view, space_.focus, /*assertions=*/false, {"consequence", "por"}, share);
    budget.Charge(share);
    if (!outcome.ok()) return outcome.status();
    return outcome->path.has_value();
  }

  // A text on an event other than a fault that can still happen by itself, or be asked for.
  std::optional<std::string> FindMove(const Filters& filters) const {
    const FilteredService filtered(service_, filters);
    const model::PlainSystem now(filtered, space_.cut);
    for (const PathStep& step : now.Enabled()) {
      if (step.event.kind != EventKind::kDeliver && step.event.kind != EventKind::kAction) continue;
      model::PlainSystem after = now;
      const auto effect = after.Apply(step);
      if (effect.ok() && (after.state().nodes != now.state().nodes || !effect->sent.empty())) {
        return "other events can still happen";
      }
    }
    for (uint32_t n = 0; n < filtered.node_count(); ++n) {
      const model::NodeState& node = now.state().nodes[n];
      if (node.status == model::NodeStatus::kUp &&
          !filtered.Calls(model::NodeId(n), node.body).empty()) {
        return "calls are still taken";
      }
    }
    return std::nullopt;
  }

  std::string VetoText(const Filters& filters) const {
    std::vector<std::string> vetoes;
    for (const Filter& filter : filters) {
      const std::string event = filter.event.kind == EventKind::kDeliver
                                    ? absl::StrCat(service_.RenderMessage(filter.event.body),
                                                   " from node ", filter.event.peer.value())
                                    : service_.RenderAction(filter.event.body);
      vetoes.push_back(absl::StrCat(snapshot::TraitsOf(filter.kind).verb, " ", event, " at node ",
                                    filter.node.value()));
    }
    return absl::StrJoin(vetoes, " and ");
  }

  Steered With(const Filters& filters) const {
    return {service_, space_.cut, options_.steady, filters};
  }

  // Another way that the plan has to stop. If it takes no fault, nor does the need for the plan.
  void Assume(const Path& way) {
    const std::vector<std::string> faults = FaultsIn(way);
    if (faults.empty()) return assumes_.clear();
    if (assumes_.empty()) return;
    for (const std::string& fault : faults) {
      if (std::find(assumes_.begin(), assumes_.end(), fault) == assumes_.end()) {
        assumes_.push_back(fault);
      }
    }
  }

  void AddReason(const std::string& reason) {
    if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) {
      reasons_.push_back(reason);
    }
  }
  std::optional<Plan> RefuseStarving() {
    starves_ = true;
    return Refuse(absl::StrCat("a plan that stops it would, done each time, never again let ",
                               absl::StrJoin(*lively_, " or "), " come to hold"));
  }
  std::optional<Plan> Refuse(const std::string& reason) {
    AddReason(reason);
    return std::nullopt;
  }

  const Service& service_;
  const model::Imagined& space_;
  const model::Violation& violation_;
  const Path& path_;
  const SteeringOptions& options_;
  Budget& budget_;
  // The steps of a search that finds the violation where nothing is vetoed; nothing if it did not.
  std::optional<uint64_t> unfiltered_steps_;
  std::optional<bool> reaches_unfiltered_;
  bool starves_ = false;                            // Some plan would have.
  std::optional<std::vector<std::string>> lively_;  // What holds again where nothing is vetoed.
  std::vector<std::string> assumes_;                // Of the plan that is being made.
  std::vector<std::string> reasons_;
};

// A service may be a plug-in; its invariants must not bring the agent down.
template <class Make>
auto Guarded(const Make& plan) -> decltype(plan()) {
  try {
    return plan();
  } catch (const std::exception& e) {
    return absl::FailedPreconditionError(
        absl::StrCat("the service threw outside of a handler: ", e.what()));
  }
}

}  // namespace

absl::StatusOr<Plan> PlanSteering(const Service& service, const model::Imagined& space,
                                  const model::Violation& violation, const SteeringOptions& options,
                                  Budget& budget) {
  return Guarded([&]() -> absl::StatusOr<Plan> {
    if (violation.death) {
      const auto replayed = model::Replay(service, space.cut, violation.path);
      if (!replayed.ok()) return replayed.status();
    } else {
      const auto confirmed =
          model::Confirm(service, space.cut, violation.invariant, violation.path);
      if (!confirmed.ok()) return confirmed.status();
    }
    return PlanConfirmed(service, space, violation, options, budget);
  });
}

absl::StatusOr<Plan> PlanConfirmed(const Service& service, const model::Imagined& space,
                                   const model::Violation& violation,
                                   const SteeringOptions& options, Budget& budget) {
  return Guarded([&] { return Planner(service, space, violation, options, budget).Make(); });
}

absl::StatusOr<std::vector<Plan>> PlanAlternatives(const Service& service,
                                                   const model::Imagined& space,
                                                   const model::Violation& violation,
                                                   const SteeringOptions& options, Budget& budget) {
  return Guarded([&] { return Planner(service, space, violation, options, budget).MakeAll(); });
}

}  // namespace foretell::predictors
