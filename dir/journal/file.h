#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/dir/journal/journal.h"
#include "foretell/dir/journal/records.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::dir {

// A journal in a file: append-only, every record with a checksum.
//
// When Write returns, the system has the record: a process that is killed loses nothing. Waiting
// for the disk each time would take many times longer than exploring does, so that is done only
// when kSyncInterval or kSyncBytes have gone by since the last time, and at the end. A power
// failure loses what was written since: less than kSyncBytes, and all from within one
// kSyncInterval. That is explored again.
class JournalFile final : public Journal {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kSyncInterval{200};
  static constexpr uint64_t kSyncBytes = 1 << 20;

  // Creates it, or goes on with what is there; what is torn or damaged is left out, and cut off if
  // it is at the end. `identity` says what is explored, and how: FailedPrecondition, naming both,
  // if the file was made for something else. AlreadyExists if another process goes on with it. The
  // event numbers outlive the journal.
  static absl::StatusOr<std::unique_ptr<JournalFile>> Open(
      const std::string& path, const std::string& identity, const Components& components,
      EventNumbers& event_numbers, std::function<Time()> now = std::chrono::steady_clock::now,
      snapshot::FileSystem& files = snapshot::Disk());
  // Syncs.
  ~JournalFile() override;

  // What was in the file, once.
  std::vector<UnitResult> TakeResults();
  const RecordReader::Losses& losses() const { return losses_; }

  void Write(const UnitResult& result) override;
  // What was written is on the disk afterwards. For the end: Write does it now and then.
  void Sync();
  uint64_t syncs() const { return syncs_; }
  // The first thing that went wrong. The exploration does not suffer from it.
  const absl::Status& status() const { return status_; }

 private:
  JournalFile(std::unique_ptr<snapshot::File> file, const EventNumbers& event_numbers,
              std::function<Time()> now);
  absl::Status Read(const std::string& all, uint64_t begin, const Components& components,
                    EventNumbers& event_numbers);
  void Append(const std::string& bytes);

  const std::unique_ptr<snapshot::File> file_;
  uint64_t size_ = 0;  // Of what counts.
  const EventNumbers& event_numbers_;
  const std::function<Time()> now_;
  Time synced_at_;
  uint64_t unsynced_bytes_ = 0;
  uint64_t syncs_ = 0;
  std::vector<UnitResult> results_;
  RecordReader::Losses losses_;
  absl::Status status_;
};

}  // namespace foretell::dir
