#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace foretell::agent {

// Whether vetoes are made at a rate at which nobody should trust them: then they are shadowed, that
// is counted and not enforced, until a minute has brought at most half as many. Pure; one thread at
// a time.
class VetoRate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kWindow{1};

  // In one window. UINT64_MAX: any number is fine.
  explicit VetoRate(uint64_t rate_max) : rate_max_(rate_max) {}

  // So many are about to be made.
  void Add(size_t vetoes, Time now);

  bool fallen_back() const { return fallen_back_; }
  uint64_t in_window() const { return in_window_; }  // As of the last Add.

 private:
  struct Made {
    Time time;
    size_t vetoes = 0;
  };
  const uint64_t rate_max_;
  std::deque<Made> made_;  // Of the window, the oldest first.
  uint64_t in_window_ = 0;
  bool fallen_back_ = false;
};

}  // namespace foretell::agent
