#include "foretell/agent/telemetry/export/rate_limited_log.h"

#include <utility>

#include "foretell/model/check.h"

namespace foretell::agent {

RareLines::RareLines(std::function<void(const std::string&)> write, std::function<Time()> now)
    : write_(std::move(write)), now_(std::move(now)) {
  FORETELL_CHECK(write_ != nullptr);
  FORETELL_CHECK(now_ != nullptr);
}

void RareLines::Write(const std::string& line) {
  const model::MutexLock lock(mutex_);
  if (!write_) return;
  const Time now = now_();
  if (last_ && now - *last_ < kPeriod) {
    ++left_out_;
    return;
  }
  last_ = now;
  const uint64_t left_out = std::exchange(left_out_, 0);
  write_(left_out == 0 ? line : line + " (" + std::to_string(left_out) + " lines left out)");
}

void RareLines::Close() {
  const model::MutexLock lock(mutex_);
  write_ = nullptr;
}

}  // namespace foretell::agent
