#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

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
  static absl::StatusOr<std::unique_ptr<LineFile>> Open(Options options,
                                                        FileSystem& files = Disk());

  // `line` without its end. What a full disk or a crash has left of a line stays a line of its own.
  absl::Status Append(const std::string& line);

 private:
  LineFile(FileSystem& files, Options options, std::unique_ptr<File> file)
      : files_(files), options_(std::move(options)), file_(std::move(file)) {}
  absl::Status Begin();
  void Rotate();
  absl::Status Sync();

  FileSystem& files_;
  Options options_;
  std::unique_ptr<File> file_;
  uint64_t size_ = 0;
  bool torn_ = false;           // The file ends within a line.
  bool name_unsynced_ = false;  // A power failure could take the file away, with all of its lines.
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

}  // namespace foretell::snapshot
