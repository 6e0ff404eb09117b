#include "foretell/integration/sdk/node/store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/no_size_signal.h"

namespace foretell::integration::sdk {
namespace {

enum RecordType : uint8_t {
  kOwner = 1,
  kEpoch = 2,
  kNumber = 3,
  kWhole = 4,  // A survivor on its own.
  kDelta = 5,  // What differs from the survivor before.
};

constexpr size_t kFrameBytes = 4 + 8;   // Size and checksum of the records that one Sync wrote.
constexpr size_t kRecordBytes = 4 + 1;  // Size of the payload, and type.
constexpr size_t kSurvivorBytesMax = size_t{1} << 30;
constexpr uint64_t kCompactBytes = 1 << 20;
// Below it the delta costs more than it saves.
constexpr size_t kDeltaBytesMin = 512;

absl::Status Failed(const std::string& what, const std::string& path) {
  const int error = errno;
  return absl::UnavailableError(
      absl::StrCat("store: cannot ", what, " ", path, ": ", std::strerror(error)));
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

absl::Status WriteAll(int file, const std::string& bytes, const std::string& path) {
  const snapshot::NoSizeSignal no_signal;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("write", path);
    done += static_cast<size_t>(n);
  }
  if (::fdatasync(file) != 0) return Failed("sync", path);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int file, const std::string& path) {
  std::string bytes;
  char chunk[1 << 16];
  while (true) {
    const ssize_t n = ::read(file, chunk, sizeof(chunk));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("read", path);
    if (n == 0) return bytes;
    bytes.append(chunk, static_cast<size_t>(n));
  }
}

// A new name is durable once its directory is.
absl::Status SyncDirectory(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return Failed("open", directory);
  const bool synced = ::fsync(file) == 0;
  const absl::Status status = synced ? absl::OkStatus() : Failed("sync", directory);
  ::close(file);
  return status;
}

}  // namespace

Store::Store(std::string directory, std::string owner)
    : directory_(std::move(directory)), owner_(std::move(owner)) {}

Store::~Store() {
  if (file_ >= 0) ::close(file_);
  if (lock_ >= 0) ::close(lock_);
}

absl::StatusOr<std::unique_ptr<Store>> Store::Open(const std::string& directory,
                                                   const std::string& owner) {
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return Failed("make directory", directory);
  }
  std::unique_ptr<Store> store(new Store(directory, owner));
  absl::Status status = store->Lock();
  if (status.ok()) status = store->Load();
  // A fresh file after every start: it holds no torn tail and no history.
  if (status.ok()) status = store->Compact();
  if (!status.ok()) return status;
  return store;
}

absl::Status Store::Lock() {
  const std::string path = directory_ + "/lock";
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return Failed("open", path);
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("store ", directory_, ": another process has it open"));
}

absl::Status Store::Load() {
  const int file = ::open(path().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return absl::OkStatus();
  if (file < 0) return Failed("open", path());
  const absl::StatusOr<std::string> bytes = ReadAll(file, path());
  ::close(file);
  if (!bytes.ok()) return bytes.status();
  const absl::Status status = ReadFrames(*bytes);
  if (!status.ok()) return status;
  recovered_.survivor = survivor_;
  recovered_.epoch = epoch_;
  recovered_.number = number_;
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

absl::Status Store::Sync() {
  if (!broken_.ok() || buffer_.empty()) return broken_;
  const std::string bytes = Framed(std::exchange(buffer_, ""));
  broken_ = WriteAll(file_, bytes, path());
  if (!broken_.ok()) return broken_;
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
  if (survivor_) AppendRecord(kWhole, *survivor_, records);
  const std::string bytes = Framed(records);
  const std::string fresh = path() + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Failed("make", fresh);
  absl::Status status = WriteAll(file, bytes, fresh);
  if (status.ok() && ::rename(fresh.c_str(), path().c_str()) != 0) status = Failed("rename", fresh);
  if (status.ok()) status = SyncDirectory(directory_);
  if (!status.ok()) {
    ::close(file);
    return status;
  }
  if (file_ >= 0) ::close(file_);
  file_ = file;
  file_bytes_ = bytes.size();
  bytes_written_ += bytes.size();
  return absl::OkStatus();
}

}  // namespace foretell::integration::sdk
