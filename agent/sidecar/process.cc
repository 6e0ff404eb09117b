#include "foretell/agent/sidecar/process.h"

#include <malloc.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

namespace foretell::agent {

std::chrono::nanoseconds ProcessCpuTime() {
  struct timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

uint64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace foretell::agent
