#pragma once

namespace foretell::agent {

// The project's version, as CMake knows it.
extern const char* const kVersion;

}  // namespace foretell::agent
