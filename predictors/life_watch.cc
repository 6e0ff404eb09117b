#include "foretell/predictors/life_watch.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/death_search.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/search/liveness/live_explorer.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Imagined;
using model::LivenessVerdict;
using model::SystemCut;

constexpr const char* kInexact =
    "what is in flight is not known: judged as if it were nothing, which is dead.";
constexpr const char* kAbsent =
    "dead among the nodes that are there; one that is absent may still help.";

// A service may be a plug-in; its predicates must not bring the agent down.
template <class Work>
void Guarded(LifeForecast& forecast, const Work& work) {
  try {
    work();
  } catch (const std::exception& e) {
    forecast.life = Life::kUndecided;
    forecast.text = absl::StrCat("the service threw outside of a handler: ", e.what());
  }
}

// REQUIRES: there is such a predicate.
model::Scope ScopeOf(const model::Service& service, const std::string& name) {
  const auto infos = service.invariants();
  return std::find_if(infos.begin(), infos.end(),
                      [&](const model::InvariantInfo& info) { return info.name == name; })
      ->scope;
}

Life LifeOf(const search::CutJudgement& fate) {
  switch (fate.verdict) {
    case LivenessVerdict::kLive: return fate.steps == 0u ? Life::kHolds : Life::kAlive;
    case LivenessVerdict::kStartDead: return Life::kDead;
    case LivenessVerdict::kSuspected: return Life::kSuspected;
    default: return Life::kUndecided;
  }
}

}  // namespace

const char* LifeName(Life life) {
  switch (life) {
    case Life::kHolds: return "holds";
    case Life::kAlive: return "alive";
    case Life::kDead: return "dead";
    case Life::kSuspected: return "suspected";
    case Life::kUndecided: return "undecided";
  }
  return "";
}

LifeWatch::LifeWatch(const model::Service& service, const std::vector<std::string>& ignored)
    : service_(service) {
  for (const model::InvariantInfo& info : service.invariants()) {
    const bool wanted = std::find(ignored.begin(), ignored.end(), info.name) == ignored.end();
    if (info.eventually && wanted) watched_.push_back({info.name, CleanSpaces(service)});
  }
}

std::vector<LifeForecast> LifeWatch::JudgeCut(const SystemCut& live, bool exact,
                                              Budget& budget) const {
  std::vector<LifeForecast> forecasts;
  for (size_t i = 0; i < watched_.size(); ++i) {
    Budget share = budget.Share(static_cast<uint32_t>(100 / (watched_.size() - i)));
    forecasts.push_back(JudgeOne(watched_[i].name, live, exact, share));
    budget.Charge(share);
  }
  return forecasts;
}

LifeForecast LifeWatch::JudgeOne(const std::string& name, const SystemCut& live, bool exact,
                                 Budget& budget) const {
  LifeForecast forecast{.property = name, .seen = false};
  Guarded(forecast, [&] {
    const bool partial = IsNeighbourhood(live);
    SystemCut cut = live;
    if (!exact) cut.in_flight.clear();
    const OpenToCalls open(service_);
    search::LiveOptions options;
    options.property = name;
    auto fate = search::JudgeCut(open, options, cut, budget);
    if (!fate.ok()) {
      forecast.text = std::string(fate.status().message());
      return;
    }
    forecast.seen = !partial || !NeedsEveryNode(ScopeOf(service_, name));
    forecast.life = LifeOf(*fate);
    forecast.steps = fate->steps;
    forecast.text = std::move(fate->text);
    const bool unsure = partial || !exact;
    if (forecast.life == Life::kDead && unsure) {
      forecast.life = Life::kUndecided;
      forecast.text = partial ? kAbsent : kInexact;
    } else if (fate->violation && !unsure) {
      Take({*std::move(fate->violation), std::nullopt, kLiveCut}, forecast);
    }
  });
  return forecast;
}

void LifeWatch::LookAhead(const std::vector<Imagined>& spaces, std::vector<LifeForecast>& forecasts,
                          Budget& budget) {
  for (size_t i = 0; i < watched_.size(); ++i) {
    LifeForecast& forecast = forecasts[i];
    Budget share = budget.Share(static_cast<uint32_t>(100 / (watched_.size() - i)));
    if (forecast.life != Life::kDead && !watched_[i].needs_calls) {
      Guarded(forecast, [&] { LookAheadOf(watched_[i], spaces, forecast, share); });
    }
    budget.Charge(share);
  }
}

// All without a fault before any with one: the nearest is what is told, and what is vetoed.
void LifeWatch::LookAheadOf(Watched& watched, const std::vector<Imagined>& spaces,
                            LifeForecast& forecast, Budget& budget) const {
  size_t left = 2 * spaces.size();
  size_t covered = 0;
  for (const Faults faults : {Faults::kNone, Faults::kAny}) {
    for (size_t s = 0; s < spaces.size(); ++s) {
      Budget share = budget.Share(static_cast<uint32_t>(100 / left--));
      const auto focus = model::ValidCut::Make(service_, spaces[s].focus);
      // A space that is none is complained of where invariants are looked at.
      if (!focus.ok() || !model::ValidCut::Make(service_, spaces[s].cut).ok()) continue;
      bool clean = watched.clean.Contains(*focus);
      if (!clean) {
        auto found = SearchForDeath(service_, spaces[s], watched.name, faults, share);
        budget.Charge(share);
        if (!found.ok()) {
          forecast.text = std::string(found.status().message());
          continue;
        }
        clean = found->complete && faults == Faults::kAny;
        if (clean) watched.clean.Add(*focus);
        watched.needs_calls = found->refuted;
        if (found->refuted) return;
        if (found->violation) Take({*std::move(found->violation), s, kLiveEngine}, forecast);
      }
      if (clean && faults == Faults::kAny) ++covered;
    }
    if (forecast.death) return;
  }
  forecast.complete = covered == spaces.size();
}

void LifeWatch::Take(Predicted predicted, LifeForecast& forecast) const {
  const model::Violation& found = predicted.violation;
  const size_t faults = FaultsOf(service_, found.path) + found.death->lost.size();
  const bool nearer =
      !forecast.death || std::pair(faults, found.path.size()) <
                             std::pair(forecast.faults, forecast.death->violation.path.size());
  if (!nearer) return;
  forecast.death = std::move(predicted);
  forecast.faults = faults;
}

}  // namespace foretell::predictors
