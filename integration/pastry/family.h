#pragma once

#include "foretell/integration/joined/joined_family.h"

namespace foretell::integration::pastry {

// `foretell check pastry`: joins that end (protocol.h), overlays that go on for ever (leaves/), and
// planted bugs of both.
class Family final : public JoinedFamily {
 public:
  Family();
};

}  // namespace foretell::integration::pastry
