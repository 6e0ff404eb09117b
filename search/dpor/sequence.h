#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/search/dpor/execution.h"

namespace foretell::search {

// How an execution could go otherwise: with two events that race in it the other way round. From
// before the first of them, all events that need not come after it, in their order, and then the
// later one. Nothing is taken again but to see where it leads: what happens before what among
// those events is as it was.
class Sequence {
 public:
  explicit Sequence(Execution& execution) : execution_(execution) {}

  // The events that need not come after `first`, up to `later`. False if that cannot come at all
  // without it: it waits for what it is given.
  // REQUIRES: first and later race (Execution::races).
  bool Reverse(size_t first, size_t later);
  // Whether `turn` can come first, whatever comes behind those events; nothing if that depends on
  // where they lead.
  std::optional<bool> BeginsAnyway(Turn turn);
  // What the later event may come to behind them: what does not block may be another step there,
  // or several. The sequence has yet to be closed by one of these.
  std::span<const Execution::Step> Ways();
  // Goes on with a step that is possible behind all of it; and takes the last one of these back.
  void Close(uint32_t process, const Execution::Step& step);
  void Reopen();
  // What was left behind is there again.
  void Restore();
  // The ways for `process` to go on behind all of it.
  std::span<const Execution::Step> StepsAfter(uint32_t process);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  Turn turn(size_t i) const { return entries_[i].turn; }

  // Whether `turn` can come first: it is in the sequence and nothing before it happens before it,
  // or it has nothing to do with any of it.
  enum class First : uint8_t {
    kNo,
    kYes,
    kIfChosen,  // It can, but its process may come to something else as well after the sequence.
  };
  First CanBegin(Turn turn);
  // Leaves `turn`, which can come first, behind.
  void Begin(Turn turn);
  // Whether the i-th turn can come first.
  bool Free(size_t i) const;

 private:
  struct Entry {
    Turn turn;
    std::optional<uint32_t> kept;  // The event of the execution that it is.
    Execution::Event event;
  };
  struct Closing {
    uint32_t process = 0;
    const Execution::Step* step = nullptr;
  };

  Execution& execution_;
  size_t begin_ = 0;               // Its first event comes after as many.
  uint32_t process_ = 0;           // That of the later event.
  std::vector<uint32_t> without_;  // Events of the execution ...
  std::vector<uint32_t> before_;   // ... and the state behind them.
  std::vector<Closing> closing_;   // What comes behind them.
  std::vector<Entry> entries_;     // What is left of all of them ...
  std::vector<uint32_t> end_;      // ... and the state behind it.
};

}  // namespace foretell::search
