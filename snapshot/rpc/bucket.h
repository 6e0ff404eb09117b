#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::snapshot {

// A token bucket that holds one second's worth. Whoever finds it not empty may take any amount, and
// the debt is paid off before the next one: what is larger than the bucket is late, not impossible.
class Bucket {
 public:
  using Time = std::chrono::nanoseconds;  // Since any fixed moment.
  // 0: never empty.
  explicit Bucket(uint64_t per_second);
  bool Empty(Time now);
  void Take(uint64_t amount, Time now);

 private:
  void Fill(Time now);

  const double per_second_;
  double tokens_;
  Time filled_{0};
};

}  // namespace foretell::snapshot
