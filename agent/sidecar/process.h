#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::agent {

// What this process has used so far, all threads together.
std::chrono::nanoseconds ProcessCpuTime();
// What it holds now; 0 if the system does not say.
uint64_t ResidentBytes();

}  // namespace foretell::agent
