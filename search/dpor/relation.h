#pragma once

#include <cstdint>
#include <span>

namespace foretell::search {

// Which events of different processes may not be swapped.
enum class Relation : uint8_t {
  kAll,      // None may: every interleaving is its own.
  kPaper,    // Depend as printed (Rosa, Merz, Quinson 2010, section 3.2).
  kBuffers,  // The same, but Waits for communications into different buffers may be swapped.
  kExact,    // What events touched: see below.
};

// An event of a process, as far as others can have to do with it. Posts and mailboxes by number,
// kept by who made it.
struct Touched {
  enum class Kind : uint8_t { kSend, kRecv, kLook };
  uint32_t process = 0;
  Kind kind = Kind::kLook;
  bool several = false;  // A post that concerns several mailboxes, a look at several posts.
  std::span<const uint32_t> mailboxes;  // Of a post.
  std::span<const uint32_t> posts;      // As process::Touch.
  // A bit for each of them: where no bit is common, nothing is.
  uint64_t mailbox_signs = 0;
  uint64_t post_signs = 0;
};

// What the paper's relations go by besides: a communication and the buffer it goes to.
struct Communication {
  static constexpr uint32_t kNone = UINT32_MAX;  // Unknown, or several: equal to nothing.
  uint32_t id = kNone;
  uint32_t buffer = kNone;
};

// Exact: two posts of a kind depend on each other in one mailbox, a post and a Wait or Test if that
// looks at what the post touched. Posts of two kinds do only where a receive is for several
// mailboxes: a send can offer it one choice more. All else commutes, and is never disabled
// (theorems_test.cc). REQUIRES: different processes.
bool DependentExactly(const Touched& a, const Touched& b);
// As printed: not among the pairs that the paper's theorems list.
bool DependentAsPrinted(const Touched& a, const Communication& of_a, const Touched& b,
                        const Communication& of_b, bool buffers);

}  // namespace foretell::search
