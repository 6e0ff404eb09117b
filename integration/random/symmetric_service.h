#pragma once

// Random services in which nodes really are interchangeable: one role, copied, and perhaps a hub
// that all copies know. Nodes name each other in states and messages, in every way that a field
// can.

#include <cstdint>

#include "foretell/model/family.h"

namespace foretell::integration {

// What can be said wrongly of such a service. None of it keeps it from saying that all copies are
// interchangeable.
enum class SymmetryLie : uint8_t {
  kNone,
  kNode,       // A handler of the first copy does something else than those of the others.
  kOrder,      // A handler goes by the order of nodes: it gives way to those before it.
  kInvariant,  // An invariant looks at the first copy only.
  kStart,      // The first copy starts elsewhere. The others are still interchangeable.
};

// The service of `seed`, with 2 to 4 copies: always the same, on every machine, and finite.
model::System MakeSymmetricSystem(uint64_t seed, SymmetryLie lie = SymmetryLie::kNone);

}  // namespace foretell::integration
