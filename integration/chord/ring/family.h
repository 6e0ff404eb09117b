#pragma once

#include <memory>

#include "foretell/model/family.h"

namespace foretell::integration::chord::ring {

// The scenarios of `foretell check chord` in which nodes stabilise for ever.
std::unique_ptr<model::ServiceFamily> MakeFamily();

}  // namespace foretell::integration::chord::ring
