#include "foretell/agent/sidecar/report/life_history.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace foretell::agent {
namespace {

using predictors::Life;

std::string Seconds(std::chrono::nanoseconds time) {
  return absl::StrFormat("%.1f s", std::chrono::duration<double>(time).count());
}

// The least that is not below 99 of 100. REQUIRES: there are some.
template <class Values>
std::chrono::nanoseconds Percentile99(const Values& values) {
  std::vector<std::chrono::nanoseconds> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted[(sorted.size() * 99 + 99) / 100 - 1];
}

}  // namespace

std::optional<ResolvedEvent> LifeHistory::Add(const predictors::LifeForecast& forecast,
                                              uint64_t number, UnixTime taken) {
  // A node that is absent says nothing: it may hold all the time.
  if (!forecast.seen) return std::nullopt;
  Past& past = past_[forecast.property];
  past.last = taken;
  const bool holds = forecast.life == Life::kHolds;
  if (holds && past.away) {
    past.gaps.push_back(taken - *past.away);
    if (past.gaps.size() > kGapsMax) past.gaps.pop_front();
    past.away.reset();
  }
  // The gap began somewhere after the last cut in which it held.
  if (!holds && !past.away) past.away = past.held.value_or(taken);
  if (holds) past.held = taken;
  if (forecast.life == Life::kDead) {
    if (past.dead_since == 0) past.dead_since = number;
    return std::nullopt;
  }
  // What is not decided says nothing new.
  if (past.dead_since == 0 || (!holds && forecast.life != Life::kAlive)) return std::nullopt;
  const uint64_t since = std::exchange(past.dead_since, 0);
  return ResolvedEvent{forecast.property, since, number,
                       absl::StrCat(forecast.property, " is alive again in cut ", number,
                                    ", it was dead since cut ", since),
                       "alive"};
}

const LifeHistory::Past* LifeHistory::Find(const std::string& property) const {
  const auto found = past_.find(property);
  return found == past_.end() ? nullptr : &found->second;
}

uint64_t LifeHistory::DeadSince(const std::string& property) const {
  const Past* past = Find(property);
  return past == nullptr ? 0 : past->dead_since;
}

std::chrono::nanoseconds LifeHistory::GapOf(const std::string& property) const {
  const Past* past = Find(property);
  return past == nullptr || !past->away ? std::chrono::nanoseconds(0) : past->last - *past->away;
}

std::string LifeHistory::GapText(const std::string& property) const {
  const Past* past = Find(property);
  if (past == nullptr || !past->away) return "";
  std::string text = absl::StrCat("not live for ", Seconds(GapOf(property)));
  if (past->gaps.empty()) return text;
  const std::string usual = Seconds(Percentile99(past->gaps));
  return absl::StrCat(text, " (99 % of ", past->gaps.size(), " earlier gap",
                      past->gaps.size() == 1 ? " was" : "s were", " at most ", usual, ")");
}

}  // namespace foretell::agent
