#pragma once

#include "foretell/integration/transport/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::transport {

// `foretell check transport`: one sender, one receiver, and the bugs that MaceMC found and others.
class Family final : public model::Family<Protocol> {
 public:
  Family();
};

}  // namespace foretell::integration::transport
