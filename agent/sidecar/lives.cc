// What a round says about liveness predicates.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/sidecar.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

using predictors::Life;
using predictors::LifeForecast;

// Of the budget of a round, on top of what the search for violations has.
constexpr uint32_t kCutPercent = 25;
constexpr uint32_t kAheadPercent = 25;

std::string Count(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string NowText(const LifeForecast& forecast, uint64_t dead_since) {
  switch (forecast.life) {
    case Life::kHolds: return "holds";
    case Life::kAlive:
      return forecast.steps ? absl::StrCat("recovers in ", Count(*forecast.steps, "step"))
                            : "can recover";
    case Life::kDead: {
      const model::DeathProof& proof = forecast.death->violation.death->proof;
      return absl::StrCat("DEAD since cut ", dead_since, ", proved: ", Count(proof.states, "state"),
                          ", ", model::ProofName(proof.how));
    }
    case Life::kSuspected:
    case Life::kUndecided: break;
  }
  return absl::StrCat(LifeName(forecast.life), ": ", forecast.text);
}

std::string TextOf(const LifeForecast& forecast, uint64_t dead_since) {
  std::string text = NowText(forecast, dead_since);
  if (!forecast.death || forecast.life == Life::kDead) return Printable(text, true);
  absl::StrAppend(&text, "; can die in ", Count(forecast.death->violation.path.size(), "step"),
                  ", ", Count(forecast.faults, "fault"));
  return Printable(text, true);
}

}  // namespace

void Sidecar::JudgeLives(const snapshot::RecordedSnapshot& snapshot, RoundRecord& record) {
  forecasts_.clear();
  if (parts_.lives.empty()) return;
  const Time begin = parts_.now();
  const model::Budget whole = MakeBudget();
  model::Budget share = whole.Share(kCutPercent);
  const snapshot::Snapshot& taken = snapshot.snapshot;
  forecasts_ = parts_.lives.JudgeCut(taken.cut, taken.exact, share);
  record.judge = Since(begin);
  for (const LifeForecast& forecast : forecasts_) {
    const auto resolved = history_.Add(forecast, taken.number, snapshot.taken);
    if (resolved) reporter_.ReportResolved(*resolved);
  }
}

// What can die is a prediction like any other.
void Sidecar::LookAhead(const snapshot::RecordedSnapshot& snapshot,
                        predictors::Prediction& prediction) {
  if (forecasts_.empty()) return;
  // From a cut that is not exact nobody knows what may happen; what was said of it stands.
  if (snapshot.snapshot.exact) {
    const model::Budget whole = MakeBudget();
    model::Budget share = whole.Share(kAheadPercent);
    parts_.lives.LookAhead(prediction.spaces, forecasts_, share);
  }
  for (const LifeForecast& forecast : forecasts_) {
    if (forecast.death) prediction.predicted.push_back(*forecast.death);
  }
}

const LifeForecast* Sidecar::ForecastOf(const predictors::Predicted& predicted) const {
  const auto found =
      std::find_if(forecasts_.begin(), forecasts_.end(), [&](const LifeForecast& forecast) {
        return forecast.property == predicted.violation.invariant;
      });
  return found == forecasts_.end() ? nullptr : &*found;
}

bool Sidecar::LivesConclusive() const {
  const std::vector<VetoDesk::Veto> vetoes = parts_.enforcer.vetoes();
  return std::all_of(forecasts_.begin(), forecasts_.end(), [&](const LifeForecast& forecast) {
    return forecast.complete || std::none_of(vetoes.begin(), vetoes.end(), [&](const auto& veto) {
             return veto.filter.invariant == forecast.property;
           });
  });
}

void Sidecar::RecordLives(RoundRecord& record) const {
  for (const LifeForecast& forecast : forecasts_) {
    LifeRecord life{.property = forecast.property,
                    .life = LifeName(forecast.life),
                    .dead = forecast.life == Life::kDead,
                    .gap = history_.GapOf(forecast.property),
                    .text = TextOf(forecast, history_.DeadSince(forecast.property))};
    if (forecast.death) {
      life.death_steps = static_cast<uint32_t>(forecast.death->violation.path.size());
      life.death_faults = static_cast<uint32_t>(forecast.faults);
    }
    record.lives.push_back(std::move(life));
  }
}

}  // namespace foretell::agent
