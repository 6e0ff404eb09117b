#include "foretell/integration/onepaxos/entry.h"

namespace foretell::integration::onepaxos {
namespace {

// Two bits each for kind, author and node; the handed value on top.
constexpr uint32_t kMask = 3;
static_assert(kNodes <= kMask + 1);

}  // namespace

uint32_t Pack(const Entry& entry) {
  return static_cast<uint32_t>(entry.kind) | entry.by << 2 | entry.node << 4 | entry.handed << 6;
}

Entry Unpack(uint32_t value) {
  return {static_cast<EntryKind>(value & kMask), value >> 2 & kMask, value >> 4 & kMask,
          value >> 6};
}

uint32_t NextPosition(const paxos::Log& utility) {
  uint32_t position = 0;
  while (utility.ChosenAt(position) != 0) ++position;
  return position;
}

View ViewOf(const paxos::Log& utility) {
  View view;
  for (uint32_t position = 0;; ++position) {
    const uint32_t value = utility.ChosenAt(position);
    if (value == 0) return view;
    const Entry entry = Unpack(value);
    if (entry.kind == EntryKind::kLeaderChange) {
      view.leader = entry.node;
      view.epoch = position + 1;
    } else if (entry.by == view.leader) {
      view.acceptor = entry.node;
      view.handed = entry.handed;
    }
  }
}

}  // namespace foretell::integration::onepaxos
