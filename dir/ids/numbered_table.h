#pragma once

#include <cstdint>
#include <utility>

#include "foretell/dir/ids/event_numbers.h"
#include "foretell/dir/ids/table_events.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/service.h"

namespace foretell::dir {

// A transition table, in which handlers run, and the numbers of its events. One thread at a time;
// all work of one thread can share one, so that no handler runs twice.
class NumberedTable {
 public:
  // Both outlive this.
  NumberedTable(const model::Service& service, EventNumbers& event_numbers)
      : transitions(service), events(transitions, event_numbers) {}

  // The bytes that the table has grown by since the last call.
  uint64_t TakeGrowth() {
    return transitions.bytes() - std::exchange(metered_, transitions.bytes());
  }

  model::TransitionTable transitions;
  TableEvents events;

 private:
  uint64_t metered_ = 0;
};

}  // namespace foretell::dir
