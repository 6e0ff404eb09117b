#pragma once

#include "foretell/integration/chord/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::chord {

// `foretell check chord`: rings of two and three nodes, and planted bugs.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::chord
