#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "foretell/model/event.h"
#include "foretell/model/id.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::dir {

// Numbers for events that all transition tables agree on. Every component has a table of its own,
// so that components can be explored at the same time; results that cross from one to another name
// events by these numbers. Thread-safe; called once per event and table.
class EventNumbers {
 public:
  struct Entry {
    model::NodeId node;
    model::Event event;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  // The number of the entry, which gets the next one the first time.
  uint32_t Number(const Entry& entry);
  // The entry of a number that was given.
  Entry At(uint32_t number) const;

 private:
  mutable model::Mutex mutex_;
  std::map<Entry, uint32_t> numbers_ ABSL_GUARDED_BY(mutex_);
  // Keys of the map, which stay where they are.
  std::vector<const Entry*> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::dir
