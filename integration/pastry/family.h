#pragma once

#include "foretell/integration/pastry/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::pastry {

// `foretell check pastry`: overlays of two and three nodes, and planted bugs.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::pastry
