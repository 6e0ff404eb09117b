#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// The last messages sent on one channel, oldest first. Every message that a node sends goes through
// one, so places and the memory of bodies are used again instead of being allocated each time.
class SentRing {
 public:
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  size_t bytes() const { return bytes_; }  // Of all bodies.

  void Push(uint64_t seq, const std::string& body, uint64_t checkpoint) {
    if (count_ > mask_ || places_.empty()) Grow();
    SentMessage& place = places_[(first_ + count_) & mask_];
    place.seq = seq;
    place.body.assign(body);
    place.checkpoint = checkpoint;
    sizes_[(first_ + count_) & mask_] = body.size();
    ++count_;
    bytes_ += body.size();
  }
  // REQUIRES: not empty.
  const SentMessage& front() const {
    FORETELL_CHECK(count_ > 0);
    return places_[first_];
  }
  // REQUIRES: not empty.
  void PopFront() {
    FORETELL_CHECK(count_ > 0);
    const size_t size = sizes_[first_];
    bytes_ -= size;
    // A large body is given back: it would not be counted any more.
    if (size > kBodyKept) std::string().swap(places_[first_].body);
    first_ = (first_ + 1) & mask_;
    --count_;
  }
  std::vector<SentMessage> Copy() const {
    std::vector<SentMessage> copy;
    copy.reserve(count_);
    for (size_t i = 0; i < count_; ++i) copy.push_back(places_[(first_ + i) & mask_]);
    return copy;
  }

 private:
  static constexpr size_t kFirstPlaces = 16;
  static constexpr size_t kBodyKept = 1024;

  void Grow() {
    std::rotate(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(first_),
                places_.end());
    std::rotate(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(first_), sizes_.end());
    first_ = 0;
    places_.resize(std::max(kFirstPlaces, 2 * places_.size()));
    sizes_.resize(places_.size());
    mask_ = places_.size() - 1;
  }

  std::vector<SentMessage> places_;  // Their number is a power of two,
  size_t mask_ = 0;                  // of which this is one less.
  // Of the bodies: a message that leaves is so old that a look at it would cost more than the rest.
  std::vector<size_t> sizes_;
  size_t first_ = 0;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace foretell::snapshot
