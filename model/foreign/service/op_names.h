#pragma once

#include <cstdint>
#include <string>

namespace foretell::model::foreign {

// "RUN", "PROJECT", ...: as foretell_service.h has them, without their prefix.
std::string OpName(uint32_t op);

}  // namespace foretell::model::foreign
