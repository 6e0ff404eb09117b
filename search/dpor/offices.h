#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/model/engine/interner.h"

namespace foretell::search {

// All mailboxes of a program by number: process::Office, in a form that takes no time to go on
// from. Equal numbers are equal offices. It is judged by the service (process_space_test.cc), whose
// semantics these are.
class Offices {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  // A post that waits for its counterpart, and one that has met it: as in process::Office.
  struct Offer {
    uint32_t post = 0;
    bool sends = false;
    bool buffered = false;
    uint32_t value = 0;
    std::span<const uint32_t> mailboxes;
  };
  struct Ready {
    uint32_t post = 0;
    uint32_t value = 0;
    uint32_t mailbox = 0;
    uint32_t with = 0;
  };

  // Where a check begins: offers in the order of each mailbox's queue.
  struct Queued {
    uint32_t mailbox = 0;
    uint32_t offer = 0;
  };
  uint32_t OfferOf(const Offer& offer);
  uint32_t Begin(std::vector<Queued> queues, std::vector<Ready> ready);

  Offer At(uint32_t offer) const;
  // The first offer in a mailbox, if it is a send (a receive).
  std::optional<uint32_t> Head(uint32_t office, uint32_t mailbox, bool sends) const;
  std::optional<Ready> ReadyOf(uint32_t office, uint32_t post) const;

  // After a send to `mailbox`: it meets the head there, if that is a receive. `sent` has that one
  // mailbox.
  uint32_t AfterSend(uint32_t office, const Offer& sent);
  // After a receive that meets `head`, or nothing.
  uint32_t AfterRecv(uint32_t office, const Offer& received, std::optional<uint32_t> head);
  // After a Wait or a Test that has used up `post`.
  uint32_t AfterTake(uint32_t office, uint32_t post);

  uint64_t bytes() const { return offices_.bytes() + offers_.bytes(); }
  // All but the offers is forgotten.
  void Forget() { offices_ = model::SequenceInterner(); }

 private:
  void Load(uint32_t office);
  void Enqueue(const Offer& offer);
  void Dequeue(uint32_t offer);
  void Add(Ready ready);
  uint32_t Intern();

  // How many are queued; mailbox and offer of each, by mailbox and then in their order; then what
  // is ready, by post.
  model::SequenceInterner offices_;
  model::SequenceInterner offers_;  // Post, flags, value, mailboxes.
  // The one that is being made.
  std::vector<Queued> queued_;
  std::vector<Ready> ready_;
  std::vector<uint32_t> words_;
};

}  // namespace foretell::search
