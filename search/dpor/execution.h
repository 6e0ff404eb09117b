#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/search/dpor/process_space.h"

namespace foretell::search {

// A step of a process, wherever it is taken.
struct Turn {
  uint32_t process = 0;
  uint32_t key = 0;  // ProcessSpace::Step::key.
  friend bool operator==(const Turn&, const Turn&) = default;
};

// An execution: the steps taken so far, what happened before what, and where the processes are. The
// happens-before order is the least that orders the steps of each process and whatever depends on
// each other.
class Execution {
 public:
  // `buffers`: how many buffers each process receives into, in turns; for Relation::kBuffers.
  Execution(ProcessSpace& space, const ProcessIds& start, Relation relation, uint32_t buffers = 1);

  size_t size() const { return events_.size(); }
  uint32_t process_count() const { return space_.process_count(); }
  Turn turn(size_t i) const { return {events_[i].process, events_[i].step->key}; }
  const ProcessSpace::Step& step(size_t i) const { return *events_[i].step; }
  // The state before the i-th event; after all of them for i = size().
  const ProcessIds& state(size_t i) const { return states_[i]; }

  // The ways for `process` to go on now.
  std::span<const ProcessSpace::Step> Steps(uint32_t process) {
    return space_.Steps(states_[events_.size()], process);
  }
  // The one of Steps that `turn` names; null if there is none.
  const ProcessSpace::Step* Find(Turn turn);
  bool Enabled(uint32_t process) { return !Steps(process).empty(); }
  bool AnyEnabled();
  // Processes that can go on, oldest request first: whoever asked first, be it long ago.
  std::vector<uint32_t> Oldest();

  void Push(uint32_t process, const ProcessSpace::Step& step);
  // REQUIRES: Find(turn).
  void Push(Turn turn) { Push(turn.process, *Find(turn)); }
  void Truncate(size_t size);
  // This one's first `size` events.
  Execution Prefix(size_t size) const;

  // REQUIRES: i < j.
  bool Before(size_t i, size_t j) const { return clock(j)[events_[i].process] > events_[i].nth; }
  bool Dependent(size_t i, size_t j) const { return Depends(events_[i], events_[j]); }
  // The events of other processes that the i-th depends on directly: nothing comes between.
  const std::vector<uint32_t>& races(size_t i) const { return races_[i]; }

  model::Path Path(std::span<const ProcessSpace::Part> before) const;

 private:
  struct Event {
    uint32_t process = 0;
    uint32_t nth = 0;  // Among those of its process.
    const ProcessSpace::Step* step = nullptr;
    Communication communication;
    std::optional<uint32_t> previous;  // Of the same process.
  };
  bool Depends(const Event& a, const Event& b) const;
  Communication CommunicationOf(const Touched& touched) const;
  const uint32_t* clock(size_t i) const { return clocks_.data() + i * process_count(); }
  void Order(const Event& event);

  ProcessSpace& space_;
  Relation relation_;
  uint32_t buffers_;
  std::vector<Event> events_;
  std::vector<ProcessIds> states_;  // Those beyond size() are memory to be used again.
  std::vector<uint32_t> clocks_;    // By event: how many of each process are before it, or are it.
  std::vector<std::optional<uint32_t>> last_;  // By process: its last event.
  std::vector<std::vector<uint32_t>> races_;   // By event; memory as with states.
};

}  // namespace foretell::search
