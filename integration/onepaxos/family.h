#pragma once

#include "foretell/integration/onepaxos/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::onepaxos {

// `foretell check onepaxos`.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::onepaxos
