#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::agent {

// A look at a thread that runs something of a service.
struct Glance {
  uint64_t turn = 0;  // The same for as long as one run lasts.
  std::chrono::nanoseconds processor_time{0};
  bool asleep = false;  // It waits for something else than a processor or a disk.
};

// How long one thread is waited for. A machine that is slow must not make a handler look stuck, so
// what counts is the time that the thread had a processor, and how often it was found asleep.
class Patience {
 public:
  // Looks are this far apart, or farther.
  static constexpr std::chrono::milliseconds kPause{100};

  // True iff one and the same run has had more than it may. `over`: the search was to end, by its
  // budget or because the user asked for it; from then on little is left.
  bool Exhausted(const Glance& glance, bool over);

 private:
  struct Allowance {
    std::chrono::nanoseconds processor_time;
    uint32_t asleep;  // Looks in a row.
  };
  static constexpr Allowance kUsual{std::chrono::seconds(30), 600};
  static constexpr Allowance kOver{std::chrono::seconds(2), 100};

  Glance first_;  // Of the run, or since the search was to end.
  Glance last_;
  uint32_t asleep_ = 0;
  bool over_ = false;
};

}  // namespace foretell::agent
