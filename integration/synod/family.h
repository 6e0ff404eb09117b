#pragma once

#include "foretell/integration/synod/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::synod {

// `foretell check synod`: the Paxos of Table I, and the two faulty acceptors that it has.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::synod
