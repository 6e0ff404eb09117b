#include "foretell/tests/bench/liveness/executions.h"

#include <algorithm>

#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::bench {
namespace {

using search::GlobalState;
using search::Oracle;

constexpr size_t kStepsMax = 48;      // Before death; far more than any of the bugs takes.
constexpr size_t kAttemptsMax = 500;  // For each execution that is asked for.

class Draws {
 public:
  explicit Draws(Subject& subject) : subject_(subject) {}

  // An execution of random steps; nothing if it did not die.
  std::optional<Execution> Random() {
    Execution execution;
    GlobalState state = subject_.start();
    for (size_t step = 0; step <= kStepsMax; ++step) {
      execution.states.push_back(state);
      if (IsDead(state)) return Finished(std::move(execution));
      if (!subject_.AnyStep(state)) return std::nullopt;
    }
    return std::nullopt;
  }

  // One that begins with `path`.
  Execution Along(const model::Path& path, bool lost) {
    const auto steps =
        model::Replay(subject_.service(), subject_.space().CutOf(subject_.start()), path);
    FORETELL_CHECK(steps.ok());
    Execution execution{.states = {subject_.start()}};
    for (const auto& step : *steps) {
      if (IsDead(execution.states.back())) break;
      execution.states.push_back(subject_.space().Start(step.after));
    }
    if (lost) {
      model::SystemCut cut = subject_.space().CutOf(execution.states.back());
      cut.in_flight.clear();
      execution.states.push_back(subject_.space().Start(cut));
    }
    return Finished(std::move(execution));
  }

  bool Proved(const Execution& execution) {
    const GlobalState dead = subject_.For(subject_.oracle(), execution.At(execution.dead));
    const Oracle::Answer answer = subject_.oracle().Judge(dead, budget_);
    if (answer.fate != Oracle::Fate::kDead) return false;
    const model::SystemCut cut = subject_.oracle().space().CutOf(dead);
    const search::DeathClaim claim{subject_.service(), subject_.property(),
                                   subject_.moves().count_on(), cut};
    const auto certificate = subject_.oracle().Certify(dead, answer);
    if (!search::CheckCertificate(claim, certificate).ok()) return false;
    return execution.dead == 0 || Lives(execution.At(execution.dead - 1));
  }

 private:
  bool IsDead(const GlobalState& state) {
    return subject_.oracle().Judge(subject_.For(subject_.oracle(), state), budget_).fate ==
           Oracle::Fate::kDead;
  }

  bool Lives(const GlobalState& state) {
    const auto way = subject_.oracle().WayToLive(subject_.For(subject_.oracle(), state), budget_);
    if (!way) return false;
    const model::SystemCut from = subject_.space().CutOf(state);
    const auto steps = model::Replay(subject_.service(), from, *way);
    return steps.ok() && search::HoldsIn(subject_.service(), subject_.property(),
                                         steps->empty() ? from : steps->back().after);
  }

  // Ends with as much after death as before it: further the algorithm does not look.
  Execution Finished(Execution execution) {
    execution.dead = execution.states.size() - 1;
    for (size_t i = 0; i < execution.dead; ++i) {
      if (subject_.moves().Live(execution.states[i])) execution.first = i + 1;
    }
    const auto never = [](const GlobalState&) { return false; };
    const auto steps = static_cast<uint32_t>(2 * execution.states.size());
    subject_.walker().Walk(execution.states.back(), steps, budget_, never);
    const auto& rest = subject_.walker().visited();
    execution.states.insert(execution.states.end(), rest.begin() + 1, rest.end());
    return execution;
  }

  Subject& subject_;
  model::Budget budget_ = model::Budget::Unlimited();
};

}  // namespace

Deaths DrawDeaths(Subject& subject, size_t count, const model::Path& path, bool lost) {
  Draws draws(subject);
  Deaths deaths;
  for (size_t i = 0; i < kAttemptsMax * count && deaths.executions.size() < count; ++i) {
    if (auto execution = draws.Random()) deaths.executions.push_back(*std::move(execution));
  }
  deaths.drawn = deaths.executions.size();
  while (deaths.executions.size() < count) deaths.executions.push_back(draws.Along(path, lost));
  for (const Execution& execution : deaths.executions) {
    deaths.proved = deaths.proved && draws.Proved(execution);
  }
  return deaths;
}

}  // namespace foretell::bench
