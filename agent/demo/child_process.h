#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::agent {

// A program that we started. It ends with us: when this is destroyed, and when our process dies in
// whatever way.
class ChildProcess {
 public:
  // The first of `command` is the program. Its standard output comes to us, its standard error goes
  // to the file `log`.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& command, const std::string& log);
  ~ChildProcess();  // Kills it if it runs.
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next line of its output, without the end of the line. DeadlineExceeded if none comes in
  // time, OutOfRange if there will be none.
  absl::StatusOr<std::string> ReadLine(std::chrono::milliseconds timeout);

  void Signal(int signal);
  // Its exit code, or 128 + the signal that ended it; DeadlineExceeded if it does not end in time.
  absl::StatusOr<int> Wait(std::chrono::milliseconds timeout);
  bool Running();
  // What it has used of the processor so far; nothing once it has ended.
  std::chrono::milliseconds ProcessorTime() const;
  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, int output) : pid_(pid), output_(output) {}

  pid_t pid_;
  int output_;
  std::string buffer_;
  bool ended_ = false;
  int code_ = 0;
};

}  // namespace foretell::agent
