#include "foretell/integration/sdk/node/timer_set.h"

#include <algorithm>
#include <set>

namespace foretell::integration::sdk {

using model::ActionTiming;

void TimerSet::Update(const std::vector<std::string>& actions, Time now) {
  const std::set<std::string> enabled(actions.begin(), actions.end());
  std::erase_if(armed_, [&](const auto& entry) { return enabled.count(entry.first) == 0; });
  for (const std::string& action : actions) {
    if (armed_.count(action) != 0) continue;
    const ActionTiming timing = service_.Timing(action);
    if (timing.origin != ActionTiming::Origin::kTimer) continue;
    const std::chrono::microseconds delay = std::max(timing.delay, timing.delay.zero());
    const std::chrono::microseconds spread = timing.spread ? *timing.spread : delay / 4;
    const auto jitter =
        static_cast<int64_t>(Fraction(random_.Next()) * static_cast<double>(spread.count()));
    armed_[action] = {now + delay + std::chrono::microseconds(jitter), false};
  }
}

std::optional<std::string> TimerSet::TakeDue(Time now) {
  auto first = armed_.end();
  for (auto it = armed_.begin(); it != armed_.end(); ++it) {
    if (it->second.due > now) continue;
    if (first == armed_.end() || it->second.due < first->second.due) first = it;
  }
  if (first == armed_.end()) return std::nullopt;
  std::string action = first->first;
  armed_.erase(first);
  return action;
}

std::optional<Time> TimerSet::Next() const {
  std::optional<Time> next;
  for (const auto& [action, armed] : armed_) {
    if (!next || armed.due < *next) next = armed.due;
  }
  return next;
}

void TimerSet::Postpone(const std::string& action, Time until) { armed_[action] = {until, true}; }

void TimerSet::Restart(const std::string& action) { armed_.erase(action); }

void TimerSet::Release(Time now) {
  for (auto& [action, armed] : armed_) {
    if (armed.postponed) armed = {std::min(armed.due, now), false};
  }
}

}  // namespace foretell::integration::sdk
