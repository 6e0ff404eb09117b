#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::search {

// All datagrams in flight, to whomever: how many of each, or any number of it. 0 is the empty bag.
using BagId = model::Id<struct BagTag>;

// Bags by id. Spans live as long as this.
class Bags {
 public:
  // As many as anybody wants, and one less is as many.
  static constexpr uint32_t kOmega = UINT32_MAX;
  struct Entry {
    model::MessageId message;
    uint32_t count;  // At least 1.
  };

  // REQUIRES: a service on datagrams.
  explicit Bags(const model::TransitionTable& table);

  // As found in a cut: not multiplied by what the network may duplicate.
  BagId Intern(std::span<const model::MessageId> messages);
  // By rising message.
  std::span<const Entry> Content(BagId bag) const;
  uint32_t Count(BagId bag, model::MessageId message) const;

  // What `event` leaves of `bag`, together with all copies of what it sends.
  // REQUIRES: the message is there, if `event` is a delivery.
  BagId After(BagId bag, model::EventId event, model::SendsId sends);
  // True iff `larger` has as many of each message.
  bool Within(BagId bag, BagId larger) const;
  // Any number of each message of which `grown` has more than `base`, and nothing else.
  BagId Gains(BagId base, BagId grown);
  // Any number of each of `messages`, which rise.
  BagId AnyNumber(std::span<const model::MessageId> messages);
  // What `bag` has of `messages`, which rise.
  BagId Only(BagId bag, std::span<const model::MessageId> messages);
  // As many of each message as the one that has more of it.
  BagId Join(BagId a, BagId b);

  uint32_t copies_per_send() const { return copies_per_send_; }
  uint64_t bytes() const;

 private:
  BagId InternEntries(std::span<const Entry> entries);

  const model::TransitionTable& table_;
  const uint32_t copies_per_send_;
  model::SequenceInterner contents_;  // Entries, flat.
  std::vector<uint64_t> masks_;       // By bag: a bit for each message, some share one.
  std::vector<Entry> entries_;        // Of the bag in the making.
};

}  // namespace foretell::search
