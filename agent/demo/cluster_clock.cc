#include "foretell/agent/demo/cluster_clock.h"

#include <algorithm>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::agent {
namespace {

// A message that a node was sent before it is asked is handled before it is asked the next time
// but one. A new connection takes two more turns of loops before its first message does.
constexpr int kSameMin = 5;

}  // namespace

absl::Status ClusterClock::Pass(Micros duration) {
  return PassUntil(duration, [] { return false; }).status();
}

absl::StatusOr<bool> ClusterClock::PassUntil(Micros duration, const std::function<bool()>& holds) {
  const Micros end = now_ + duration;
  while (true) {
    const auto reading = AwaitQuiet();
    if (!reading.ok()) return reading.status();
    if (holds()) return true;
    if (now_ == end && !(reading->next && *reading->next <= end)) return false;
    now_ = std::max(now_, std::min(reading->next.value_or(end), end));
    if (const auto moved = Read(now_); !moved.ok()) return moved.status();
  }
}

absl::StatusOr<ClusterClock::Reading> ClusterClock::AwaitQuiet() {
  Reading last;
  for (int same = 0; same < kSameMin;) {
    auto reading = Read();
    if (!reading.ok()) return reading.status();
    same = *reading == last ? same + 1 : 0;
    last = *std::move(reading);
  }
  return last;
}

absl::StatusOr<ClusterClock::Reading> ClusterClock::Read(std::optional<Micros> to) {
  Reading reading;
  for (size_t n = 0; n < cluster_.size(); ++n) {
    if (!cluster_.process(n).Running()) continue;
    const auto skewed = ahead_.find(n);
    const Micros ahead = skewed == ahead_.end() ? Micros(0) : skewed->second;
    const Micros own = std::max(to.value_or(Micros(0)) + ahead, Micros(0));
    const auto answer = cluster_.Ask(n, to ? absl::StrCat("clock ", own.count()) : "clock");
    if (!answer.ok()) return answer.status();
    const std::vector<std::string> words = absl::StrSplit(*answer, ' ');
    uint64_t work = 0;
    if (words.size() != 4 || words[0] != "ok" || !absl::SimpleAtoi(words[3], &work)) {
      return absl::InternalError(absl::StrCat("node ", n, " says of its clock: ", *answer));
    }
    reading.work.push_back(work);
    if (int64_t next = 0; absl::SimpleAtoi(words[2], &next)) {
      reading.next = std::min(reading.next.value_or(Micros::max()), Micros(next) - ahead);
    }
  }
  return reading;
}

}  // namespace foretell::agent
