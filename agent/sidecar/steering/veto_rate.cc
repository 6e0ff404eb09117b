#include "foretell/agent/sidecar/steering/veto_rate.h"

namespace foretell::agent {

void VetoRate::Add(size_t vetoes, Time now) {
  if (rate_max_ == UINT64_MAX) return;
  while (!made_.empty() && now - made_.front().time >= kWindow) {
    in_window_ -= made_.front().vetoes;
    made_.pop_front();
  }
  if (vetoes > 0) made_.push_back({now, vetoes});
  in_window_ += vetoes;
  // Not back as soon as the limit is kept: what keeps it is that nothing is enforced.
  fallen_back_ = in_window_ > (fallen_back_ ? rate_max_ / 2 : rate_max_);
}

}  // namespace foretell::agent
