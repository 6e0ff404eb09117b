#include "foretell/integration/sdk/node/interest_watch.h"

#include <algorithm>
#include <utility>

namespace foretell::integration::sdk {
namespace {

constexpr std::chrono::milliseconds kPauseMin{5};
constexpr std::chrono::milliseconds kPauseMax{100};
constexpr int kPausePerCost = 100;

}  // namespace

void InterestWatch::Listen(std::function<void()> changed, const model::LiveNode& live,
                           uint64_t version) {
  changed_ = std::move(changed);
  keys_ = changed_ ? Keys(live) : std::vector<std::optional<std::string>>{};
  seen_ = version;
  waits_ = false;
}

std::optional<Time> InterestWatch::Next(uint64_t version) const {
  if (!changed_ || version == seen_) return std::nullopt;
  return next_;
}

void InterestWatch::Look(const model::LiveNode& live, uint64_t version,
                         const std::function<Time()>& now) {
  if (!changed_ || version == seen_ || waits_) return;
  const Time begin = now();
  waits_ = begin < next_;
  if (waits_) return;
  seen_ = version;
  std::vector<std::optional<std::string>> keys = Keys(live);
  const Time end = now();
  // The first change after a quiet time is told at once; under load, where every look finds one,
  // fewer and fewer are.
  const bool changed = keys != keys_;
  const bool quiet = begin > next_ + pause_;
  pause_ = changed && !quiet ? std::min(2 * pause_, kPauseMax) : kPauseMin;
  next_ = end + std::max<std::chrono::nanoseconds>(pause_, kPausePerCost * (end - begin));
  if (!changed) return;
  keys_ = std::move(keys);
  changed_();
}

bool InterestWatch::Tell() const {
  if (changed_) changed_();
  return changed_ != nullptr;
}

std::vector<std::optional<std::string>> InterestWatch::Keys(const model::LiveNode& live) const {
  std::vector<std::optional<std::string>> keys;
  const auto infos = service_.invariants();
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i].eventually) keys.push_back(live.Project(i));
  }
  return keys;
}

}  // namespace foretell::integration::sdk
