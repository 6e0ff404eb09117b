#pragma once

#include <cstdint>

#include "foretell/integration/paxos/log.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::onepaxos {

inline constexpr uint32_t kNodes = 3;

enum class EntryKind : uint8_t { kLeaderChange = 1, kAcceptorChange = 2 };

// An entry that PaxosUtility agrees on: one per index of its log.
struct Entry {
  EntryKind kind = EntryKind::kLeaderChange;
  uint32_t by = 0;      // The author. An acceptor change counts only if its author then leads.
  uint32_t node = 0;    // The new leader or acceptor.
  uint32_t handed = 0;  // Acceptor change: what the old acceptor may have accepted; 0 if nothing.
};

// The lower layer's values are plain numbers.
uint32_t Pack(const Entry& entry);
Entry Unpack(uint32_t value);

// The nodes in their roles.
struct View {
  uint32_t leader = 0;
  uint32_t acceptor = 1;
  uint32_t epoch = 0;   // Position of the leader change + 1: rises with every leader.
  uint32_t handed = 0;  // The value that a new acceptor must be given; 0 if any will do.
  FORETELL_FIELDS(leader, acceptor, epoch, handed)
};

// The first index of `utility` at which nothing is known to be chosen.
uint32_t NextPosition(const paxos::Log& utility);
// The roles after the entries below NextPosition: the last leader change and the last acceptor
// change that count. Before any entry, node 0 leads and node 1 accepts.
View ViewOf(const paxos::Log& utility);

}  // namespace foretell::integration::onepaxos
