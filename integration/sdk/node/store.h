#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::integration::sdk {

// The part of a node that is kept on disk: the state that survives a crash, and the numbers that a
// later life must not use again. A write-ahead file: framed and checksummed records, of which a
// torn tail is cut off. Belongs to the node's loop.
class Store {
 public:
  // The contents of the store when it was opened.
  struct Recovered {
    std::optional<std::string> survivor;  // Nothing: this is the node's first life.
    uint64_t epoch = 0;                   // Of the last life; 0 if there was none.
    uint64_t number = 0;                  // No life used a checkpoint number beyond it.
    std::string guard;                    // See GuardLine::mark.
    uint64_t torn_bytes = 0;              // Cut off the end.
  };

  // Makes the directory if need be. `owner` names cluster and node: the store of another one is
  // refused with FailedPrecondition. So is one that another process has open. DataLoss if records
  // before the end are damaged.
  static absl::StatusOr<std::unique_ptr<Store>> Open(
      const std::string& directory, const std::string& owner,
      snapshot::FileSystem& files = snapshot::Disk());
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const Recovered& recovered() const { return recovered_; }

  // These put records into a buffer; nothing is durable before Sync returns.
  void SetEpoch(uint64_t epoch);
  void SetNumber(uint64_t number);
  void SetSurvivor(const std::string& survivor);  // Free if it is what the last call said.
  void SetGuard(const std::string& mark);         // The same.

  bool dirty() const { return !buffer_.empty(); }
  // Writes what is buffered and waits until it is on the disk. After an error nothing can be
  // written any more: what is on the disk is then unknown, and whoever goes on would lie.
  absl::Status Sync();

  uint64_t bytes_written() const { return bytes_written_; }

 private:
  Store(snapshot::FileSystem& files, std::string directory, std::string owner)
      : files_(files), directory_(std::move(directory)), owner_(std::move(owner)) {}
  absl::Status MakeDirectory();
  absl::Status Lock();
  absl::Status Load();
  absl::Status ReadFrames(const std::string& bytes);
  absl::Status ReadRecords(const std::string& records, bool first);
  absl::Status Apply(uint8_t type, const std::string& payload);
  absl::Status Compact();
  std::string path() const { return directory_ + "/wal"; }

  snapshot::FileSystem& files_;
  std::string directory_;
  std::string owner_;
  Recovered recovered_;
  std::unique_ptr<snapshot::File> lock_;
  std::unique_ptr<snapshot::File> file_;
  uint64_t epoch_ = 0;
  uint64_t number_ = 0;
  std::optional<std::string> survivor_;
  std::string guard_;
  std::string buffer_;
  uint64_t file_bytes_ = 0;
  uint64_t bytes_written_ = 0;
  absl::Status broken_;
};

}  // namespace foretell::integration::sdk
