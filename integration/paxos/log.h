#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "foretell/integration/paxos/decree.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::paxos {

// Multi-decree Paxos at one node: an instance per log index, present once the node has heard of it.
struct Log {
  uint32_t floor = 0;  // Instances below are forgotten: what is said about them is ignored.
  std::vector<Decree> decrees;  // By rising index.

  FORETELL_FIELDS(floor, decrees)
  // Null if the node has never heard of `index`.
  const Decree* Find(uint32_t index) const;
  // Makes it if need be.
  Decree& At(uint32_t index);
  // Forgets the oldest instances until at most `count` are left. An acceptor that has forgotten an
  // instance stays silent about it for ever, so forgetting is safe; whoever has not learned by then
  // never will.
  void KeepNewest(uint32_t count);
  // 0 if nothing is chosen there.
  uint32_t ChosenAt(uint32_t index) const;
};

struct Reply {
  bool to_all = false;  // Else to the sender.
  Message message;
};

uint32_t IndexOf(const Message& message);

// Hands `message` to the instance it belongs to.
std::optional<Reply> Handle(Log& log, model::NodeId from, const Message& message,
                            const Rules& rules);

// The part of `log` that survives a crash.
Log SurvivorOf(const Log& log, const Rules& rules);

// (index, value) for each index at which the node has chosen.
using ChosenValues = std::vector<std::pair<uint32_t, uint32_t>>;
ChosenValues ChosenIn(const Log& log);
// True iff two nodes chose different values for one index.
bool Disagree(const ChosenValues& a, const ChosenValues& b);

}  // namespace foretell::integration::paxos
