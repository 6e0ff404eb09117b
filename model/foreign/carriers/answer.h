#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace foretell::model::foreign {

// A reply of more bytes is not read: nobody has states of that size, and memory is finite.
inline constexpr int64_t kReplyMax = 256 * 1024 * 1024;

// A code of foretell_service.h that is below zero, and what was said about it, as Carrier::Call has
// it.
absl::Status StatusOf(int64_t code, const std::string& text);

}  // namespace foretell::model::foreign
