#pragma once

// What may be taken for granted about schedules. A state that is dead is dead under all of these;
// they matter where a predicate could come to hold, and stays away all the same
// (docs/decisions/0034).

#include <cstdint>

namespace foretell::model {

// In all of them a choice that is made again and again turns out every way again and again, but for
// ways of weight 0; and nothing is promised of what recovery does not count on.
enum class Fairness : uint8_t {
  kNone,    // Nothing is assumed, and cycles are not looked for.
  kWeak,    // What stays possible happens: timers, restarts, calls, and what is in flight arrives.
  kStrong,  // What is possible again and again happens again and again.
  kFairLoss,  // As kWeak, but that datagrams get lost; one that is sent again and again arrives.
  kLast = kFairLoss,
};

// "none", "weak", "strong", "fair-loss".
const char* FairnessName(Fairness fairness);
// The assumption in one sentence, for people; empty for kNone.
const char* FairnessText(Fairness fairness);

}  // namespace foretell::model
