#pragma once

#include "foretell/integration/paxos/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::paxos {

// `foretell check paxos`: start cuts and planted bugs for paxos::Protocol.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::paxos
