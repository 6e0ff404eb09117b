#pragma once

#include <cstdint>

namespace foretell::bench {

// The strategies on as many random programs of which all interleavings can be tried: what each
// follows, gives up and misses. False if one that must not miss anything does, or gives up.
bool PrintRandomPrograms(uint64_t count);

}  // namespace foretell::bench
