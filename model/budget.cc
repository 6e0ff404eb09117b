#include "foretell/model/budget.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::model {

Budget::Budget(Limits limits, std::function<Time()> now, Beside beside)
    : limits_(limits),
      now_(std::move(now)),
      beside_(std::move(beside)),
      steps_left_(limits.steps_max) {
  FORETELL_CHECK(now_ != nullptr);
}

Budget Budget::Unlimited() {
  return Budget({}, [] { return std::chrono::steady_clock::now(); });
}

bool Budget::ReadClock() {
  until_clock_ = kClockStride;
  if (limits_.deadline == Time::max() || now_() < limits_.deadline) return true;
  Spend(Limit::kTime);
  return false;
}

uint64_t Budget::AskBytesMax() {
  if (beside_.bytes_max) limits_.bytes_max = std::max(limits_.bytes_max, beside_.bytes_max());
  return limits_.bytes_max;
}

void Budget::Spend(Limit limit) {
  if (steps_left_ == 0) return;
  ended_by_ = limit;
  steps_forfeited_ = steps_left_;
  steps_left_ = 0;
}

Budget::Limit Budget::ended_by() const {
  if (!spent()) return Limit::kNone;
  return ended_by_ == Limit::kNone ? Limit::kSteps : ended_by_;
}

Budget Budget::Share(uint32_t percent) const {
  FORETELL_CHECK(percent <= 100);
  Limits part;
  part.steps_max = steps_left_ == UINT64_MAX
                       ? UINT64_MAX
                       : steps_left_ / 100 * percent + steps_left_ % 100 * percent / 100 + 1;
  Beside beside;
  if (limits_.bytes_max != UINT64_MAX) {
    part.bytes_max = limits_.bytes_max / 100 * percent;
    if (beside_.bytes_max) {
      beside.bytes_max = [all = beside_.bytes_max, percent] { return all() / 100 * percent; };
    }
  }
  if (limits_.deadline != Time::max()) {
    const Time now = std::min(now_(), limits_.deadline);
    part.deadline = now + (limits_.deadline - now) * percent / 100;
  }
  return Budget(part, now_, std::move(beside));
}

Budget Budget::Steps(uint64_t steps_max) const {
  Budget part = Share(100);
  part.limits_.steps_max = std::min(part.limits_.steps_max, steps_max);
  part.steps_left_ = part.limits_.steps_max;
  return part;
}

void Budget::Charge(const Budget& share) {
  if (limits_.steps_max == UINT64_MAX) return;
  steps_left_ -= std::min(steps_left_, share.steps_taken());
}

const char* LimitName(Budget::Limit limit) {
  switch (limit) {
    case Budget::Limit::kNone: return "nothing";
    case Budget::Limit::kSteps: return "steps";
    case Budget::Limit::kTime: return "time";
    case Budget::Limit::kMemory: return "memory";
  }
  FORETELL_CHECK(false);
  return "";
}

}  // namespace foretell::model
