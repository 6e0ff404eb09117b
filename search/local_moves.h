#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/search/global_space.h"

namespace foretell::search {

// What may happen at a node is a matter of its state and of what is in flight to it, which system
// states have in common by the thousand; so is what becomes of messages that are sent to it. This
// remembers both, and answers as GlobalSpace does. Room is bounded; what does not fit is asked of
// the space again.
class LocalMoves {
 public:
  // Outlives this.
  explicit LocalMoves(GlobalSpace& space);

  // One way in which an event turns out.
  struct Outcome {
    model::Step step;
    std::span<const model::Batch> sends;
    std::optional<MailboxId> mailbox;  // In flight to the node then, if that was asked before.
  };

  // The rest is about `state`, until another one is looked at.
  void Look(const GlobalState& state);
  // Appends all that is enabled, as GlobalSpace::AllEnabled.
  void AllEnabled(std::vector<Move>& moves) const;
  // The ways `move` can turn out.
  std::span<const Outcome> Outcomes(const Move& move);
  // As GlobalSpace::Apply. REQUIRES: `from` is what is looked at.
  void Apply(const GlobalState& from, const Move& move, const Outcome& outcome, GlobalState& to);

  // From now on every Apply is one of the space: somebody asks it what it did.
  void ApplyAll() { applies_all_ = true; }

 private:
  static constexpr size_t kEntriesMin = 1 << 6;
  static constexpr size_t kEntriesMax = 1 << 16;
  struct Event {
    model::EventId event;
    uint32_t begin = 0;  // Of its outcomes, if ...
    uint32_t end = 0;    // ... this is not 0.
  };
  struct Arrival {
    uint32_t list;
    MailboxId mailbox;  // With these messages.
  };
  struct Entry {
    model::StateId state;
    MailboxId mailbox;
    bool known = false;
    std::vector<Event> events;
    std::vector<Outcome> outcomes;
    std::vector<Arrival> arrivals;
  };
  struct Node {
    std::vector<Entry> entries;  // By a hash of state and mailbox.
    size_t made = 0;             // Since there are so many.
  };

  Entry& EntryOf(const GlobalState& state, model::NodeId node);
  void Make(const GlobalState& state, model::NodeId node, Entry& entry);
  Event& EventOf(const Move& move);
  bool ApplyKnown(const GlobalState& from, const Move& move, const Outcome& outcome,
                  GlobalState& to);
  void Learn(const Move& move, const Outcome& outcome, const GlobalState& to);

  GlobalSpace& space_;
  std::vector<Node> nodes_;
  std::vector<Entry*> at_;              // By node: of the state that is looked at.
  std::vector<model::EventId> events_;  // Of Make.
  bool applies_all_ = false;
};

}  // namespace foretell::search
