#include "foretell/search/dpor/offices.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {
namespace {

constexpr uint32_t kSends = 1, kBuffered = 2;  // Flags of an offer.
constexpr size_t kOfferHead = 3;               // Words of an offer before its mailboxes.
constexpr size_t kQueuedSize = 2, kReadySize = 4;

// Where `mailbox` is among those of a receive.
uint32_t IndexOf(std::span<const uint32_t> mailboxes, uint32_t mailbox) {
  const auto found = std::find(mailboxes.begin(), mailboxes.end(), mailbox);
  return static_cast<uint32_t>(found - mailboxes.begin());
}

}  // namespace

uint32_t Offices::OfferOf(const Offer& offer) {
  words_ = {offer.post, (offer.sends ? kSends : 0) | (offer.buffered ? kBuffered : 0), offer.value};
  words_.insert(words_.end(), offer.mailboxes.begin(), offer.mailboxes.end());
  return offers_.Intern(words_);
}

Offices::Offer Offices::At(uint32_t offer) const {
  const std::span<const uint32_t> words = offers_.at(offer);
  return {words[0], (words[1] & kSends) != 0, (words[1] & kBuffered) != 0, words[2],
          words.subspan(kOfferHead)};
}

uint32_t Offices::Begin(std::vector<Queued> queues, std::vector<Ready> ready) {
  queued_ = std::move(queues);
  std::stable_sort(queued_.begin(), queued_.end(),
                   [](const Queued& a, const Queued& b) { return a.mailbox < b.mailbox; });
  ready_.clear();
  for (const Ready& each : ready) Add(each);
  return Intern();
}

std::optional<uint32_t> Offices::Head(uint32_t office, uint32_t mailbox, bool sends) const {
  const std::span<const uint32_t> words = offices_.at(office);
  for (size_t i = 0; i < words[0]; ++i) {
    if (words[1 + i * kQueuedSize] != mailbox) continue;
    // A mailbox holds sends or receives, never both: they would have met.
    const uint32_t offer = words[2 + i * kQueuedSize];
    if (((offers_.at(offer)[1] & kSends) != 0) == sends) return offer;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Offices::Ready> Offices::ReadyOf(uint32_t office, uint32_t post) const {
  const std::span<const uint32_t> words = offices_.at(office);
  for (size_t i = 1 + words[0] * kQueuedSize; i < words.size(); i += kReadySize) {
    if (words[i] == post) return Ready{post, words[i + 1], words[i + 2], words[i + 3]};
  }
  return std::nullopt;
}

void Offices::Load(uint32_t office) {
  const std::span<const uint32_t> words = offices_.at(office);
  queued_.clear();
  ready_.clear();
  size_t at = 1;
  for (; at < 1 + words[0] * kQueuedSize; at += kQueuedSize) {
    queued_.push_back({words[at], words[at + 1]});
  }
  for (; at < words.size(); at += kReadySize) {
    ready_.push_back({words[at], words[at + 1], words[at + 2], words[at + 3]});
  }
}

uint32_t Offices::Intern() {
  words_.clear();
  words_.push_back(static_cast<uint32_t>(queued_.size()));
  for (const Queued& queued : queued_) {
    words_.push_back(queued.mailbox);
    words_.push_back(queued.offer);
  }
  for (const Ready& ready : ready_) {
    words_.insert(words_.end(), {ready.post, ready.value, ready.mailbox, ready.with});
  }
  return offices_.Intern(words_);
}

void Offices::Enqueue(const Offer& offer) {
  const uint32_t number = OfferOf(offer);
  for (size_t i = 0; i < offer.mailboxes.size(); ++i) {
    const uint32_t mailbox = offer.mailboxes[i];
    if (IndexOf(offer.mailboxes, mailbox) < i) continue;  // Named twice.
    const auto after =
        std::upper_bound(queued_.begin(), queued_.end(), mailbox,
                         [](uint32_t m, const Queued& queued) { return m < queued.mailbox; });
    queued_.insert(after, {mailbox, number});
  }
}

void Offices::Dequeue(uint32_t offer) {
  std::erase_if(queued_, [offer](const Queued& queued) { return queued.offer == offer; });
}

void Offices::Add(Ready ready) {
  const auto before = std::lower_bound(ready_.begin(), ready_.end(), ready.post,
                                       [](const Ready& r, uint32_t post) { return r.post < post; });
  if (before != ready_.end() && before->post == ready.post) {
    *before = ready;
  } else {
    ready_.insert(before, ready);
  }
}

uint32_t Offices::AfterSend(uint32_t office, const Offer& sent) {
  const uint32_t mailbox = sent.mailboxes.front();
  const std::optional<uint32_t> head = Head(office, mailbox, /*sends=*/false);
  Load(office);
  if (sent.buffered) Add({sent.post, 0, 0, sent.post});
  if (!head) {
    Enqueue(sent);
    return Intern();
  }
  const Offer met = At(*head);
  Dequeue(*head);
  Add({met.post, sent.value, IndexOf(met.mailboxes, mailbox), sent.post});
  if (!sent.buffered) Add({sent.post, 0, 0, met.post});
  return Intern();
}

uint32_t Offices::AfterRecv(uint32_t office, const Offer& received, std::optional<uint32_t> head) {
  Load(office);
  if (!head) {
    Enqueue(received);
    return Intern();
  }
  const Offer met = At(*head);
  Dequeue(*head);
  const uint32_t where = IndexOf(received.mailboxes, met.mailboxes.front());
  Add({received.post, met.value, where, met.post});
  // A buffered send may have been done, and forgotten, long ago.
  if (!met.buffered) Add({met.post, 0, 0, received.post});
  return Intern();
}

uint32_t Offices::AfterTake(uint32_t office, uint32_t post) {
  Load(office);
  std::erase_if(ready_, [post](const Ready& ready) { return ready.post == post; });
  return Intern();
}

}  // namespace foretell::search
