#pragma once

#include <string>
#include <string_view>

namespace foretell::model::foreign {

// Bytes of a service that does not render them, for people: as they are if all are printable, else
// in hexadecimal, and not more than a line can take.
std::string ShownBytes(std::string_view bytes);

}  // namespace foretell::model::foreign
