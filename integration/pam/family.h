#pragma once

#include "foretell/integration/pam/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::pam {

// `foretell check pam`.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::pam
