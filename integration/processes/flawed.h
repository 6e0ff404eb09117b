#pragma once

// The two flawed programs of Rosa, Merz and Quinson (AVoCS 2010, figures 4 and 5), in any size.

#include <cstdint>

#include "foretell/model/process/protocol.h"

namespace foretell::integration::processes {

// Figure 4: a server takes for granted that the last message is the one of the last client.
struct FlawedOrder : model::process::ProgramOf<FlawedOrder> {
  uint32_t clients = 3;
  bool unchecked = false;  // Nothing is asserted, so that every execution goes on to its end.
  bool in_order = false;   // Taken away: each client has a mailbox of its own.
  model::process::Program Make() const;
};

// Figure 5: a server takes for granted that it gets the first value of both clients before the
// second of either.
struct FlawedReduce : model::process::ProgramOf<FlawedReduce> {
  uint32_t rounds = 2;
  bool unchecked = false;
  bool in_order = false;
  model::process::Program Make() const;
};

}  // namespace foretell::integration::processes
