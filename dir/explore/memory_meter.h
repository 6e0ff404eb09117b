#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "foretell/dir/ids/numbered_table.h"

namespace foretell::dir {

// The bytes that an explorer holds, as a part of a total: the budget's memory is for all explorers
// of a check. One thread at a time, but the total may be shared by several.
class MemoryMeter {
 public:
  // Adds to that total from here on, no longer to its own. The total outlives this.
  void Share(std::atomic<uint64_t>* total) { total_ = total; }

  // Measures the growth of the table, and the other bytes that the explorer holds by now. Returns
  // the total.
  uint64_t Update(NumberedTable& table, uint64_t bytes) {
    const uint64_t grown = table.TakeGrowth() + bytes - std::exchange(bytes_, bytes);
    return total_->fetch_add(grown) + grown;
  }
  std::atomic<uint64_t>* total() { return total_; }
  uint64_t total_bytes() const { return *total_; }

 private:
  std::atomic<uint64_t> own_total_ = 0;
  std::atomic<uint64_t>* total_ = &own_total_;
  uint64_t bytes_ = 0;  // Without the table.
};

}  // namespace foretell::dir
