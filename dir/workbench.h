#pragma once

#include <cstdint>
#include <utility>

#include "dir/dialect.h"
#include "dir/lexicon.h"
#include "model/service.h"
#include "model/transition_table.h"

namespace foretell::dir {

// What handlers are run with, and what its ids mean to others. One thread at a time; all that is
// done in one thread can share one, so that no handler runs twice.
class Workbench {
 public:
  // Both outlive this.
  Workbench(const model::Service& service, Lexicon& lexicon)
      : table(service), dialect(table, lexicon) {}

  // Bytes since the last call.
  uint64_t Grown() { return table.bytes() - std::exchange(metered_, table.bytes()); }

  model::TransitionTable table;
  Dialect dialect;

 private:
  uint64_t metered_ = 0;
};

}  // namespace foretell::dir
