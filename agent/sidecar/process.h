#pragma once

#include <chrono>
#include <cstdint>

namespace foretell::agent {

// The CPU time of this process so far, all threads together.
std::chrono::nanoseconds ProcessCpuTime();
// The memory that it holds now; 0 if the system does not say.
uint64_t ResidentBytes();
// What of it is allocated and not freed. The rest is what the allocator keeps for later: how much
// that is, is a matter of chance, of how threads took turns.
uint64_t AllocatedBytes();

}  // namespace foretell::agent
