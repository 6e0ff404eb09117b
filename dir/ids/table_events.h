#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/dir/ids/event_numbers.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::dir {

// The events of one transition table by the numbers that all tables share, and its messages by
// signature. One thread at a time.
class TableEvents {
 public:
  // Both outlive this.
  TableEvents(model::TransitionTable& table, EventNumbers& event_numbers);

  // The number that all tables have for the event.
  uint32_t Number(model::NodeId node, model::EventId event);
  // The event of that number; nothing if it cannot happen in `state`, messages aside.
  std::optional<model::EventId> Find(uint32_t number, model::StateId state);
  model::NodeId NodeOf(uint32_t number);
  // The signature of sender, receiver and body.
  const Signature& MessageSignature(model::MessageId message);

 private:
  struct Entry {
    model::NodeId node;
    std::optional<model::EventId> event;  // Nothing before the table has an id for it.
  };
  Entry& EntryOf(uint32_t number);

  model::TransitionTable& table_;
  EventNumbers& event_numbers_;
  absl::flat_hash_map<uint64_t, uint32_t> numbers_;  // By node and event.
  std::vector<std::optional<Entry>> entries_;        // By number.
  std::vector<std::optional<Signature>> messages_;   // By message.
};

}  // namespace foretell::dir
