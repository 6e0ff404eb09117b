#pragma once

#include "foretell/integration/zab/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::zab {

// `foretell check zab`: the Zab of Table I.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::zab
