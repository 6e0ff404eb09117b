#pragma once

#include <cstdint>
#include <vector>

#include "foretell/integration/philosophers/protocol.h"
#include "foretell/model/family.h"
#include "foretell/model/id.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::philosophers {

// REQUIRES: `count` is at least 2.
model::System MakeRing(uint32_t count);

// Ways to group the nodes of a ring of `count` philosophers into `components`; every philosopher
// comes with its left fork (DEMETER section 6.1).
// Neighbours together: a component shares two forks with others, however large it is.
// REQUIRES: `components` divides `count`.
std::vector<std::vector<model::NodeId>> Consecutive(uint32_t count, uint32_t components);
// Neighbours apart: every fork is shared.
std::vector<std::vector<model::NodeId>> Alternating(uint32_t count, uint32_t components);

// `foretell check philosophers`.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::philosophers
