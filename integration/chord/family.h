#pragma once

#include "foretell/integration/joined/joined_family.h"

namespace foretell::integration::chord {

// `foretell check chord`: joins that end (protocol.h), rings that stabilise for ever (ring/), and
// planted bugs of both.
class Family final : public JoinedFamily {
 public:
  Family();
};

}  // namespace foretell::integration::chord
