#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::agent {

// The CPU time of this process so far, all threads together.
std::chrono::nanoseconds ProcessCpuTime();
// The memory that it holds now; 0 if the system does not say.
uint64_t ResidentBytes();

}  // namespace foretell::agent
