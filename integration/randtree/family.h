#pragma once

#include "foretell/integration/randtree/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::randtree {

// `foretell check randtree`: trees of three nodes, and the bugs that MaceMC found and others.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::randtree
