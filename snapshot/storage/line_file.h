#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::agent {

// Lines on disk, with a cap: a file that would get too large is set aside like an archive's
// ("audit.1.jsonl"), and the oldest beyond `files_max` is deleted. A file that cannot be set aside
// grows on, because losing lines is worse; so does what is no plain file. Not for several threads
// at once.
class LineFile {
 public:
  struct Options {
    std::string path;
    uint64_t size_max = uint64_t{64} << 20;
    uint32_t files_max = 4;  // At least 1.
    bool sync = false;       // Every line is on the disk when Append returns.
  };
  // Goes on with what is there. Errors name the path.
  static absl::StatusOr<std::unique_ptr<LineFile>> Open(Options options);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // `line` without its end. What a full disk has left of a line stays a line of its own.
  absl::Status Append(const std::string& line);

 private:
  LineFile(Options options, int file, uint64_t size)
      : options_(std::move(options)), file_(file), size_(size) {}
  void Rotate();
  absl::Status Failed(const std::string& what) const;

  const Options options_;
  int file_;
  uint64_t size_;
  bool torn_ = false;  // The file ends within a line.
};

// For who writes to a stream: each flush appends what came since the last. A file that cannot be
// written to sets the stream's bad bit.
class LineStream : public std::ostream {
 public:
  explicit LineStream(std::unique_ptr<LineFile> file);
  ~LineStream() override;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace foretell::agent
