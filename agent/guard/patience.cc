#include "foretell/agent/guard/patience.h"

namespace foretell::agent {

bool Patience::Exhausted(const Glance& glance, bool over) {
  if (glance.turn != first_.turn || over != over_) {
    first_ = glance;
    last_ = glance;
    asleep_ = 0;
    over_ = over;
    return false;
  }
  const bool idle = glance.asleep && glance.processor_time == last_.processor_time;
  asleep_ = idle ? asleep_ + 1 : 0;
  last_ = glance;
  const Allowance& allowed = over ? kOver : kUsual;
  return glance.processor_time - first_.processor_time >= allowed.processor_time ||
         asleep_ >= allowed.asleep;
}

}  // namespace foretell::agent
