#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "dir/lexicon.h"
#include "dir/signature.h"
#include "model/event_id.h"
#include "model/transition_table.h"

namespace foretell::dir {

// What the ids of one transition table mean to the other tables. One thread at a time.
class Dialect {
 public:
  // Both outlive this.
  Dialect(model::TransitionTable& table, Lexicon& lexicon);

  // The event's number in the lexicon.
  uint32_t Number(model::NodeId node, model::EventId event);
  // The event of that number; nothing if it cannot happen in `state`, messages aside.
  std::optional<model::EventId> Find(uint32_t number, model::StateId state);
  model::NodeId NodeOf(uint32_t number);
  // Sender, receiver and body.
  const Signature& Message(model::MessageId message);

 private:
  struct Word {
    model::NodeId node;
    std::optional<model::EventId> event;
  };
  Word& WordOf(uint32_t number);

  model::TransitionTable& table_;
  Lexicon& lexicon_;
  absl::flat_hash_map<uint64_t, uint32_t> numbers_;  // By node and event.
  std::vector<std::optional<Word>> words_;           // By number.
  std::vector<std::optional<Signature>> messages_;
};

}  // namespace foretell::dir
