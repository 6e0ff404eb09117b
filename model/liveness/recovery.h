#pragma once

// What a system may count on to recover. A state is dead for a liveness predicate if nothing that
// can be counted on leads to where the predicate holds (docs/decisions/0031).

#include <cstdint>
#include <map>
#include <string>

#include "foretell/model/service.h"

namespace foretell::model {

enum class Help : uint8_t {
  kHelpful,  // Happens by itself sooner or later: deliveries, timers, restarts.
  kCall,     // Happens if the application wants it.
  kAdverse,  // Faults, and actions that are declared adverse. Can happen, and never helps.
};

// The class of an event that is no action.
constexpr Help HelpOf(EventKind kind) { return FaultOf(kind) ? Help::kAdverse : Help::kHelpful; }
// The class of `event`. An outcome of it whose choices have weight 0 is adverse in any case.
Help HelpOf(const Service& service, const Event& event);

// The events that recovery counts on.
enum class CountOn : uint8_t {
  kCalls,    // What helps, and that the application goes on calling.
  kHelpful,  // Only what happens by itself.
};
constexpr bool CountsOn(CountOn count_on, Help help) {
  return help == Help::kHelpful || (help == Help::kCall && count_on == CountOn::kCalls);
}

// How likely a random walk is to take an event of a kind, against others (MaceMC section 4.2).
struct Weights {
  uint32_t call = 40;
  uint32_t deliver = 8;
  uint32_t restart = 8;
  uint32_t timer = 1;
  // Measured ones, by the names of event_counts.h; they go before those of a kind.
  std::map<std::string, uint32_t> measured = {};
};
// The weight of `event`: the service's own, a measured one, or that of its kind; 0 for what is
// adverse.
uint32_t WeightOf(const Service& service, const Weights& weights, const Event& event);

}  // namespace foretell::model
