#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::model::foreign {

// A process that was just started. Whoever has it closes the files and waits for the process.
struct Newborn {
  pid_t pid = -1;
  int talk = -1;    // Its standard input and output: one socket.
  int errors = -1;  // The end of a pipe that has its standard error.
};

// Starts processes that die with us, however we die. The kernel ties that to the thread that
// started them, so that it must be one that lives as long as the nursery does: workers come and go.
class Nursery {
 public:
  // `command` is for /bin/sh. Of memory that a process writes to, it may have `memory_max` bytes.
  // REQUIRES: there is a word in it.
  Nursery(const std::string& command, uint64_t memory_max);
  ~Nursery();
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;

  absl::StatusOr<Newborn> Start() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Serve() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Newborn> Bear() const;

  const std::string command_;
  const uint64_t memory_max_;
  Mutex mutex_;
  ConditionVariable changed_;
  // A start that somebody waits for, and what became of it: one at a time.
  bool wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  absl::StatusOr<Newborn> born_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace foretell::model::foreign
