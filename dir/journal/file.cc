#include "foretell/dir/journal/file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "foretell/dir/journal/records.h"
#include "foretell/snapshot/storage/file.h"

namespace foretell::dir {
namespace {

constexpr std::string_view kKind = "foretell dir journal ";
// To be raised whenever a unit's results are others than before, even if they look the same: 4 has
// traces that 3 missed, and tells behaviours apart by what was received. 5 marks its records.
constexpr std::string_view kVersion = "5\n";

std::string WrongVersion(std::string_view rest) {
  constexpr size_t kDigitsMax = 8;
  const std::string_view version = rest.substr(0, std::min(rest.find('\n'), kDigitsMax));
  return absl::StrCat("a journal of version ", absl::CHexEscape(std::string(version)),
                      ", this program writes version ", std::string(kVersion.substr(0, 1)));
}

absl::Status NotOurs(const std::string& path, const std::string& why) {
  return absl::FailedPreconditionError(absl::StrCat(path, ": ", why));
}

}  // namespace

JournalFile::JournalFile(std::unique_ptr<snapshot::File> file, const EventNumbers& event_numbers,
                         std::function<Time()> now)
    : file_(std::move(file)),
      event_numbers_(event_numbers),
      now_(std::move(now)),
      synced_at_(now_()) {}

JournalFile::~JournalFile() { Sync(); }

absl::StatusOr<std::unique_ptr<JournalFile>> JournalFile::Open(
    const std::string& path, const std::string& identity, const Components& components,
    EventNumbers& event_numbers, std::function<Time()> now, snapshot::FileSystem& files) {
  auto file = snapshot::OpenRegular(files, path, {snapshot::Access::kModify});
  if (!file.ok()) return file.status();
  if (absl::Status locked = (*file)->TryLock(); !locked.ok()) return locked;
  const auto shape = (*file)->Stat();
  if (!shape.ok()) return shape.status();
  const auto all = (*file)->ReadAt(0, shape->size);
  if (!all.ok()) return all.status();
  std::unique_ptr<JournalFile> journal(
      new JournalFile(*std::move(file), event_numbers, std::move(now)));

  std::string_view rest = *all;
  const std::string head = std::string(kKind).append(kVersion) + MakeRecord(identity);
  // New, or we or the machine went down while it was made; zeros are what was never written.
  const std::string_view begun = rest.substr(0, rest.find_last_not_of('\0') + 1);
  if (rest.size() <= head.size() && rest != head && head.starts_with(begun)) {
    journal->Append(head);
    journal->Sync();
    if (journal->status_.ok()) journal->status_ = snapshot::SyncDirectoryOf(files, path);
    if (!journal->status_.ok()) return journal->status_;
    return journal;
  }
  if (!rest.starts_with(kKind)) return NotOurs(path, "not a journal of engine dir");
  rest.remove_prefix(kKind.size());
  if (!rest.starts_with(kVersion)) return NotOurs(path, WrongVersion(rest));
  rest.remove_prefix(kVersion.size());
  const auto made_for = RecordAt(rest);
  if (!made_for) return NotOurs(path, "damaged where it says what it is the journal of");
  if (*made_for != identity) {
    return NotOurs(path, absl::StrCat("the journal of '", std::string(*made_for), "', not of '",
                                      identity, "'"));
  }
  if (absl::Status read = journal->Read(*all, head.size(), components, event_numbers); !read.ok()) {
    return read;
  }
  return journal;
}

// What is damaged in the middle stays where it is; at the end it gives way to what comes next.
absl::Status JournalFile::Read(const std::string& all, uint64_t begin, const Components& components,
                               EventNumbers& event_numbers) {
  RecordReader reader(all, begin);
  while (const auto record = reader.Next()) {
    auto result = DecodeResult(std::string(*record), components, event_numbers);
    if (!result.ok()) return NotOurs(file_->path(), std::string(result.status().message()));
    results_.push_back(*std::move(result));
  }
  losses_ = reader.losses();
  size_ = reader.end();
  return file_->Truncate(size_);
}

std::vector<UnitResult> JournalFile::TakeResults() { return std::exchange(results_, {}); }

void JournalFile::Write(const UnitResult& result) {
  Append(MakeRecord(EncodeResult(result, event_numbers_)));
}

void JournalFile::Append(const std::string& bytes) {
  if (!status_.ok()) return;
  status_ = file_->WriteAt(size_, bytes);
  if (!status_.ok()) return;
  size_ += bytes.size();
  unsynced_bytes_ += bytes.size();
  if (unsynced_bytes_ >= kSyncBytes || now_() - synced_at_ >= kSyncInterval) Sync();
}

// Also if the last write failed: those before it did not.
void JournalFile::Sync() {
  if (unsynced_bytes_ == 0) return;
  const absl::Status synced = file_->Sync();
  if (status_.ok()) status_ = synced;
  unsynced_bytes_ = 0;
  synced_at_ = now_();
  ++syncs_;
}

}  // namespace foretell::dir
