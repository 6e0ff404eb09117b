#include "foretell/model/check.h"

#include <cstdio>
#include <cstdlib>

namespace foretell {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "foretell: bug in foretell itself: %s is false at %s:%d\n", condition, file,
               line);
  std::abort();
}

}  // namespace foretell
