#include "foretell/integration/sdk/node/store.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"

namespace foretell::integration::sdk {
namespace {

enum RecordType : uint8_t {
  kOwner = 1,
  kEpoch = 2,
  kNumber = 3,
  kWhole = 4,  // A survivor on its own.
  kDelta = 5,  // What differs from the survivor before.
  kGuard = 6,
};

constexpr size_t kFrameBytes = 4 + 8;   // Size and checksum of the records that one Sync wrote.
constexpr size_t kRecordBytes = 4 + 1;  // Size of the payload, and type.
constexpr size_t kSurvivorBytesMax = size_t{1} << 30;
constexpr uint64_t kCompactBytes = 1 << 20;
// Below it the delta costs more than it saves.
constexpr size_t kDeltaBytesMin = 512;

// Whatever the disk has: the node cannot go on with it (Host::Run).
absl::Status Failed(const absl::Status& status) {
  return absl::UnavailableError(absl::StrCat("store: ", std::string(status.message())));
}

template <class T>
std::string Bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

template <class T>
T Number(const std::string& bytes, size_t at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  }
  return value;
}

void AppendRecord(RecordType type, const std::string& payload, std::string& out) {
  out += Bytes(static_cast<uint32_t>(payload.size()));
  out.push_back(static_cast<char>(type));
  out += payload;
}

// What one Sync writes is one frame: only the last frame of a file can be torn.
std::string Framed(const std::string& records) {
  return Bytes(static_cast<uint32_t>(records.size())) + Bytes(model::HashBytes(records)) + records;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> Store::Open(const std::string& directory,
                                                   const std::string& owner,
                                                   snapshot::FileSystem& files) {
  std::unique_ptr<Store> store(new Store(files, directory, owner));
  absl::Status status = store->MakeDirectory();
  if (status.ok()) status = store->Lock();
  if (status.ok()) status = store->Load();
  // A fresh file after every start: it holds no torn tail and no history.
  if (status.ok()) status = store->Compact();
  if (!status.ok()) return status;
  return store;
}

absl::Status Store::MakeDirectory() {
  const absl::Status made = files_.MakeDirectory(directory_, 0700);
  if (!made.ok()) return Failed(made);
  const absl::Status synced = snapshot::SyncDirectoryOf(files_, directory_);
  // Where we may not look, somebody else made the directory, long ago.
  return synced.ok() || absl::IsPermissionDenied(synced) ? absl::OkStatus() : Failed(synced);
}

absl::Status Store::Lock() {
  auto lock = files_.Open(directory_ + "/lock", {snapshot::Access::kModify, 0600});
  if (!lock.ok()) return Failed(lock.status());
  lock_ = *std::move(lock);
  const absl::Status locked = lock_->TryLock();
  if (!absl::IsAlreadyExists(locked)) return locked.ok() ? locked : Failed(locked);
  return absl::FailedPreconditionError(
      absl::StrCat("store ", directory_, ": another process has it open"));
}

absl::Status Store::Load() {
  const auto bytes = snapshot::ReadWhole(files_, path(), SIZE_MAX);
  if (absl::IsNotFound(bytes.status())) return absl::OkStatus();
  if (!bytes.ok()) return Failed(bytes.status());
  const absl::Status status = ReadFrames(*bytes);
  if (!status.ok()) return status;
  recovered_.survivor = survivor_;
  recovered_.epoch = epoch_;
  recovered_.number = number_;
  recovered_.guard = guard_;
  return absl::OkStatus();
}

absl::Status Store::ReadFrames(const std::string& bytes) {
  size_t at = 0;
  while (bytes.size() - at >= kFrameBytes) {
    const auto size = Number<uint32_t>(bytes, at);
    const size_t left = bytes.size() - at - kFrameBytes;
    if (size == 0 || size > left) break;
    const std::string records = bytes.substr(at + kFrameBytes, size);
    if (Number<uint64_t>(bytes, at + 4) != model::HashBytes(records)) {
      if (size == left) break;
      // What follows was written after this had been synced, so this is no torn tail.
      return absl::DataLossError(
          absl::StrCat("store ", path(), ": damaged at byte ", at, " of ", bytes.size()));
    }
    const absl::Status status = ReadRecords(records, /*first=*/at == 0);
    if (!status.ok()) return status;
    at += kFrameBytes + size;
  }
  // The file begins with what a rename made durable as a whole.
  if (at == 0) {
    return absl::DataLossError(
        absl::StrCat("store ", path(), ": none of its ", bytes.size(), " bytes can be read"));
  }
  recovered_.torn_bytes = bytes.size() - at;
  return absl::OkStatus();
}

absl::Status Store::ReadRecords(const std::string& records, bool first) {
  size_t at = 0;
  while (at < records.size()) {
    const size_t left = records.size() - at;
    const size_t size = left < kRecordBytes ? 0 : Number<uint32_t>(records, at);
    if (left < kRecordBytes || size > left - kRecordBytes) {
      return absl::DataLossError(absl::StrCat("store ", path(), ": a record without an end"));
    }
    const auto type = static_cast<uint8_t>(records[at + 4]);
    if (first && at == 0 && type != kOwner) {
      return absl::DataLossError(absl::StrCat("store ", path(), ": does not say whose it is"));
    }
    const absl::Status status = Apply(type, records.substr(at + kRecordBytes, size));
    if (!status.ok()) return status;
    at += kRecordBytes + size;
  }
  return absl::OkStatus();
}

absl::Status Store::Apply(uint8_t type, const std::string& payload) {
  const auto damaged = [&](const std::string& why) {
    return absl::DataLossError(absl::StrCat("store ", path(), ": ", why));
  };
  switch (type) {
    case kOwner:
      if (payload == owner_) return absl::OkStatus();
      return absl::FailedPreconditionError(
          absl::StrCat("store ", directory_, " belongs to ", payload, ", not to ", owner_));
    case kEpoch:
    case kNumber:
      if (payload.size() != 8) return damaged("a number is not one");
      (type == kEpoch ? epoch_ : number_) = Number<uint64_t>(payload, 0);
      return absl::OkStatus();
    case kWhole: survivor_ = payload; return absl::OkStatus();
    case kGuard: guard_ = payload; return absl::OkStatus();
    case kDelta: {
      if (!survivor_) return damaged("a difference from nothing");
      auto next = snapshot::DecompressDelta(payload, *survivor_, kSurvivorBytesMax);
      if (!next.ok()) return damaged(std::string(next.status().message()));
      survivor_ = *std::move(next);
      return absl::OkStatus();
    }
    default: return damaged(absl::StrCat("a record of type ", type, ", which is unknown"));
  }
}

void Store::SetEpoch(uint64_t epoch) {
  epoch_ = epoch;
  AppendRecord(kEpoch, Bytes(epoch), buffer_);
}

void Store::SetNumber(uint64_t number) {
  number_ = number;
  AppendRecord(kNumber, Bytes(number), buffer_);
}

void Store::SetSurvivor(const std::string& survivor) {
  if (survivor_ == survivor) return;
  const bool whole = !survivor_ || survivor.size() < kDeltaBytesMin;
  AppendRecord(whole ? kWhole : kDelta,
               whole ? survivor : snapshot::CompressDelta(survivor, *survivor_), buffer_);
  survivor_ = survivor;
}

void Store::SetGuard(const std::string& mark) {
  if (guard_ == mark) return;
  AppendRecord(kGuard, mark, buffer_);
  guard_ = mark;
}

absl::Status Store::Sync() {
  if (!broken_.ok() || buffer_.empty()) return broken_;
  const std::string bytes = Framed(std::exchange(buffer_, ""));
  absl::Status status = file_->WriteAt(file_bytes_, bytes);
  if (status.ok()) status = file_->Sync();
  if (!status.ok()) return broken_ = Failed(status);
  file_bytes_ += bytes.size();
  bytes_written_ += bytes.size();
  const uint64_t state_bytes = survivor_ ? survivor_->size() : 0;
  if (file_bytes_ > std::max(kCompactBytes, 4 * state_bytes)) broken_ = Compact();
  return broken_;
}

absl::Status Store::Compact() {
  std::string records;
  AppendRecord(kOwner, owner_, records);
  AppendRecord(kEpoch, Bytes(epoch_), records);
  AppendRecord(kNumber, Bytes(number_), records);
  if (!guard_.empty()) AppendRecord(kGuard, guard_, records);
  if (survivor_) AppendRecord(kWhole, *survivor_, records);
  const std::string bytes = Framed(records);
  auto file = snapshot::ReplaceThrough(files_, path() + ".new", path(), bytes, 0600);
  if (!file.ok()) return Failed(file.status());
  file_ = *std::move(file);
  file_bytes_ = bytes.size();
  bytes_written_ += bytes.size();
  return absl::OkStatus();
}

}  // namespace foretell::integration::sdk
