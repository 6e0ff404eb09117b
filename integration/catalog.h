#pragma once

#include "foretell/model/family.h"

namespace foretell::integration {

// The services that come with Foretell, in the order in which they are listed to users.
model::Catalog BuiltinServices();

}  // namespace foretell::integration
