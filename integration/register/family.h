#pragma once

#include "foretell/integration/register/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::registers {

// `foretell check register`: the regular register of Table I.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::registers
