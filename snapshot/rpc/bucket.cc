#include "foretell/snapshot/rpc/bucket.h"

#include <algorithm>

namespace foretell::snapshot {

Bucket::Bucket(uint64_t per_second)
    : per_second_(static_cast<double>(per_second)), tokens_(per_second_) {}

void Bucket::Fill(Time now) {
  const double seconds = std::chrono::duration<double>(now - filled_).count();
  tokens_ = std::min(per_second_, tokens_ + std::max(0.0, seconds) * per_second_);
  filled_ = now;
}

bool Bucket::Empty(Time now) {
  Fill(now);
  return per_second_ > 0 && tokens_ <= 0;
}

void Bucket::Take(uint64_t amount, Time now) {
  Fill(now);
  if (per_second_ > 0) tokens_ -= static_cast<double>(amount);
}

}  // namespace foretell::snapshot
