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

// Which process goes first where it does not matter.
enum class Turns : uint8_t {
  kOldest,  // The one whose request is oldest.
  kAscending,
  kDescending,
};

// An execution: the steps taken so far, what happened before what, and where the processes are. The
// happens-before order is the least that orders the steps of each process and whatever depends on
// each other.
class Execution {
 public:
  using Step = ProcessSpace::Step;
  struct Event {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t process = 0;
    uint32_t nth = 0;  // Among those of its process.
    const Step* step = nullptr;
    uint32_t previous = kNone;  // Of the same process.
    Communication communication;
  };

  // `buffers`: how many buffers each process receives into, in turns; for Relation::kBuffers.
  Execution(ProcessSpace& space, Relation relation, uint32_t buffers = 1);

  size_t size() const { return events_.size(); }
  uint32_t process_count() const { return processes_; }
  const Event& event(size_t i) const { return events_[i]; }
  Turn turn(size_t i) const { return {events_[i].process, events_[i].step->key}; }
  const Step& step(size_t i) const { return *events_[i].step; }
  // The state before the i-th event; after all of them for i = size().
  ProcessIds state(size_t i) const {
    return ProcessIds(states_).subspan(i * (processes_ + 1), processes_ + 1);
  }
  ProcessSpace& space() { return space_; }
  const ProcessSpace& space() const { return space_; }

  // The ways for `process` to go on now.
  std::span<const Step> Steps(uint32_t process) { return space_.Steps(state(size()), process); }
  // The one of Steps that `turn` names; null if there is none.
  const Step* Find(Turn turn) { return FindIn(state(size()), turn); }
  const Step* FindIn(ProcessIds state, Turn turn);
  bool Enabled(uint32_t process) const { return space_.Enabled(state(size()), process); }
  // Processes that can go on, in that order. It stays until it is asked for again.
  std::span<const uint32_t> InTurns(Turns turns);

  void Push(uint32_t process, const Step& step);
  void Truncate(size_t size);

  // REQUIRES: i < j.
  bool Before(size_t i, size_t j) const { return clock(j)[events_[i].process] > events_[i].nth; }
  bool Dependent(size_t i, size_t j) const { return Depends(events_[i], events_[j]); }
  // The events of other processes that the i-th depends on directly: nothing comes between.
  std::span<const uint32_t> races(size_t i) const {
    const size_t end = i + 1 < size() ? races_begin_[i + 1] : races_.size();
    return std::span(races_).subspan(races_begin_[i], end - races_begin_[i]);
  }
  // `step` as an event after the first `begin` ones and those of `then`, to ask what it depends on.
  Event EventAfter(uint32_t process, const Step& step, size_t begin,
                   std::span<const uint32_t> then) const;
  bool Depends(const Event& earlier, const Event& later) const;

  // The space forgets what it holds beside this execution.
  void Forget();

 private:
  // The i-th event, if it is the post with which the communication of `post` has met.
  const Touched* Meeting(uint32_t post, size_t i) const;
  Communication CommunicationOf(const Touched& touched, size_t begin,
                                std::span<const uint32_t> then) const;
  const uint32_t* clock(size_t i) const { return clocks_.data() + i * processes_; }
  void Order(const Event& event);

  ProcessSpace& space_;
  const uint32_t processes_;
  const Relation relation_;
  const uint32_t buffers_;
  std::vector<Event> events_;
  std::vector<uint32_t> states_;  // One more than there are events.
  std::vector<uint32_t> clocks_;  // By event: how many of each process are before it, or are it.
  std::vector<uint32_t> last_;    // By process: its last event, or kNone.
  std::vector<uint32_t> races_;   // Of all events, one after the other.
  std::vector<uint32_t> races_begin_;
  std::vector<uint32_t> in_turns_;
};

}  // namespace foretell::search
