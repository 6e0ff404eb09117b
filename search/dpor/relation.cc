#include "foretell/search/dpor/relation.h"

#include <algorithm>

namespace foretell::search {
namespace {

bool Meet(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  return std::any_of(a.begin(), a.end(),
                     [&](uint32_t x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

bool MailboxesMeet(const Touched& a, const Touched& b) {
  return (a.mailbox_signs & b.mailbox_signs) != 0 && Meet(a.mailboxes, b.mailboxes);
}
bool PostsMeet(const Touched& a, const Touched& b) {
  return (a.post_signs & b.post_signs) != 0 && Meet(a.posts, b.posts);
}

}  // namespace

bool DependentExactly(const Touched& a, const Touched& b) {
  using enum Touched::Kind;
  if (a.kind == kLook && b.kind == kLook) return false;
  if (a.kind == kLook || b.kind == kLook) return PostsMeet(a, b);
  if (a.kind != b.kind && !a.several && !b.several) return false;
  return MailboxesMeet(a, b);
}

bool DependentAsPrinted(const Touched& a, const Communication& of_a, const Touched& b,
                        const Communication& of_b, bool buffers) {
  using enum Touched::Kind;
  if (a.kind == kLook && b.kind == kLook) {
    if (of_a.id == Communication::kNone || of_b.id == Communication::kNone) return true;
    return of_a.id != of_b.id && !(buffers && of_a.buffer != of_b.buffer);
  }
  if (a.kind == kLook || b.kind == kLook) return true;
  return a.kind == b.kind && MailboxesMeet(a, b);
}

}  // namespace foretell::search
