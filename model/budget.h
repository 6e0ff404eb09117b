#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace foretell::model {

// The limits of one exploration. Steps make it repeatable, the deadline makes it timely, the memory
// limit keeps the machine alive. Once spent, it stays spent.
class Budget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Limits {
    uint64_t steps_max = UINT64_MAX;
    uint64_t bytes_max = UINT64_MAX;
    Time deadline = Time::max();
  };
  // What an exploration has to do with others that run beside it. Each may be empty.
  struct Beside {
    // Asked for the memory limit of this moment where the one in `limits` is reached: the memory of
    // several explorations can be one, and some end before others.
    std::function<uint64_t()> bytes_max;
    // Told when the exploration has its answer and only has to make certain of it.
    std::function<void()> concluding;
  };

  Budget(Limits limits, std::function<Time()> now, Beside beside = {});
  // No limit but the machine's.
  static Budget Unlimited();

  // Takes one step if any is left. The clock is read once in kClockStride steps: a step can take
  // less time than reading it.
  [[nodiscard]] bool TakeStep() {
    if (steps_left_ == 0) return false;
    if (--until_clock_ == 0 && !ReadClock()) return false;
    --steps_left_;
    return true;
  }
  // Reads the clock now, for whoever takes steps that are long. False if the budget is spent.
  bool Poll() { return !spent() && ReadClock(); }
  // Says how much memory the exploration holds; too much spends the budget.
  void HoldBytes(uint64_t bytes) {
    if (bytes > limits_.bytes_max && bytes > AskBytesMax()) Spend(Limit::kMemory);
  }

  bool spent() const { return steps_left_ == 0; }
  uint64_t steps_taken() const { return limits_.steps_max - steps_left_ - steps_forfeited_; }
  const Limits& limits() const { return limits_; }
  Time Now() const { return now_(); }
  // Whether nobody waits for an answer any more: a clock says so by Time::max(). Whoever explores
  // may then say nothing, and save the work that it takes to be certain.
  bool Abandoned() const { return now_() == Time::max(); }
  // Says that the search is over and has come to something: what is left is to make certain of it.
  // Others may as well wait for that.
  void Concluding() const {
    if (beside_.concluding) beside_.concluding();
  }

  enum class Limit : uint8_t { kNone, kSteps, kTime, kMemory };
  // The limit that ended it; kNone while it is not spent.
  Limit ended_by() const;

  // A part of what is left of this budget: `percent` of the steps, the time and the memory. What is
  // spent there has to be charged here. The end of a part is not the end of the exploration: it
  // concludes nothing.
  Budget Share(uint32_t percent) const;
  // The same, all of it but for the steps: at most so many of what is left.
  Budget Steps(uint64_t steps_max) const;
  void Charge(const Budget& share);
  // Spends all that is left, because of a limit that a part of it has met. REQUIRES: not kNone.
  void Spend(Limit limit);

 private:
  static constexpr uint32_t kClockStride = 512;
  bool ReadClock();
  uint64_t AskBytesMax();

  Limits limits_;
  std::function<Time()> now_;
  Beside beside_;
  uint64_t steps_left_;
  uint64_t steps_forfeited_ = 0;
  uint32_t until_clock_ = 1;  // The first step reads the clock.
  Limit ended_by_ = Limit::kNone;
};

// "steps", "time", "memory".
const char* LimitName(Budget::Limit limit);

}  // namespace foretell::model
