#pragma once

#include <memory>

#include "foretell/model/family.h"

namespace foretell::integration::pastry::leaves {

// The scenarios of `foretell check pastry` in which nodes keep their leaf sets up to date for ever.
std::unique_ptr<model::ServiceFamily> MakeFamily();

}  // namespace foretell::integration::pastry::leaves
