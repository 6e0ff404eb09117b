#pragma once

namespace foretell {

// Prints the failed condition and aborts. For our own bugs only, never for input.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace foretell

// On in every build: a checker that goes on after its own bug reports nonsense.
#define FORETELL_CHECK(cond) \
  ((cond) ? static_cast<void>(0) : ::foretell::CheckFailed(#cond, __FILE__, __LINE__))

// Only for loops that a benchmark shows to be hot.
#ifdef NDEBUG
#define FORETELL_DCHECK(cond) static_cast<void>(sizeof(cond))
#else
#define FORETELL_DCHECK(cond) FORETELL_CHECK(cond)
#endif
