#include "foretell/agent/recorded/recorded_start.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/storage/frame.h"

namespace foretell::agent {
namespace {

struct Reference {
  std::string file;
  std::string number;  // Empty: the last.
};

// A file may have a # in its name.
Reference Split(const std::string& reference) {
  const size_t hash = reference.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(reference, ignored)) {
    return {reference, ""};
  }
  return {reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string NameOf(const snapshot::RecordedSnapshot& recorded, const std::string& file) {
  return absl::StrCat("snapshot ", recorded.snapshot.number, " of ", file, ", taken ",
                      FormatTime(recorded.taken));
}

absl::StatusOr<RecordedStart> FromBundle(const std::string& file) {
  auto bundle = snapshot::ReadBundle(file);
  if (!bundle.ok()) return bundle.status();
  RecordedStart start{.name = NameOf(bundle->recorded, file),
                      .recorded = std::move(bundle->recorded)};
  model::SystemCut& imagined =
      bundle->imagined.nodes.empty() ? start.recorded.snapshot.cut : bundle->imagined;
  start.spaces.push_back({imagined, imagined, ""});
  return start;
}

// The cuts before the last, as far as they are of its system.
absl::Status LoadEarlier(const snapshot::ArchiveReader& archive, RecordedStart& start) {
  constexpr size_t kEarlierMax = 4096;
  const snapshot::ArchiveEntry& last = archive.entries().back();
  std::vector<const snapshot::ArchiveEntry*> wanted;
  for (const snapshot::ArchiveEntry& entry : archive.entries()) {
    if (&entry == &last || !(entry.origin == last.origin)) continue;
    const uint64_t next_hash = (&entry + 1)->cut_hash;
    if (entry.cut_hash == next_hash && next_hash != 0) continue;
    wanted.push_back(&entry);
  }
  const size_t all = wanted.size();
  if (all > kEarlierMax) wanted.erase(wanted.begin(), wanted.end() - kEarlierMax);
  std::erase_if(wanted, [](const snapshot::ArchiveEntry* entry) { return !entry->exact; });
  start.left_out = all - wanted.size();
  for (const snapshot::ArchiveEntry* entry : wanted) {
    auto recorded = archive.Load(*entry);
    if (!recorded.ok()) return recorded.status();
    start.earlier.push_back(*std::move(recorded));
  }
  return absl::OkStatus();
}

absl::StatusOr<RecordedStart> FromArchive(const Reference& reference, Earlier earlier) {
  const auto archive = snapshot::ArchiveReader::Open(reference.file);
  if (!archive.ok()) return archive.status();
  snapshot::ArchiveEntry entry = (*archive)->entries().back();
  if (!reference.number.empty()) {
    const auto number = ParseCount(reference.number, 0);
    if (!number.ok()) return number.status();
    auto found = FindNumber(**archive, reference.file, *number);
    if (!found.ok()) return found.status();
    entry = *std::move(found);
  }
  auto recorded = (*archive)->Load(entry);
  if (!recorded.ok()) return recorded.status();
  RecordedStart start{.name = NameOf(*recorded, reference.file),
                      .recorded = *std::move(recorded),
                      .lost = (*archive)->lost()};
  if (earlier == Earlier::kAll && reference.number.empty()) {
    if (absl::Status loaded = LoadEarlier(**archive, start); !loaded.ok()) return loaded;
  }
  return start;
}

}  // namespace

absl::StatusOr<RecordedStart> LoadStart(const std::string& reference, Earlier earlier) {
  const Reference parts = Split(reference);
  const auto kind = snapshot::KindOfFile(parts.file);
  if (!kind.ok() || *kind != snapshot::FrameKind::kBundle) return FromArchive(parts, earlier);
  if (parts.number.empty()) return FromBundle(parts.file);
  return absl::InvalidArgumentError(
      absl::StrCat(parts.file, ": is a bundle, there is no snapshot #", parts.number, " in it"));
}

absl::StatusOr<snapshot::ArchiveEntry> FindNumber(const snapshot::ArchiveReader& archive,
                                                  const std::string& file, uint64_t number) {
  const auto& entries = archive.entries();
  const auto found = std::find_if(entries.rbegin(), entries.rend(),
                                  [&](const auto& entry) { return entry.number == number; });
  if (found != entries.rend()) return *found;
  return absl::NotFoundError(absl::StrCat(file, ": has no snapshot ", number, "; the first is ",
                                          entries.front().number, ", the last ",
                                          entries.back().number));
}

absl::StatusOr<Selection> SelectAnyVersion(const model::Catalog& catalog,
                                           const snapshot::Origin& origin) {
  return Select(catalog, origin.service, origin.scenario, origin.bug);
}

absl::StatusOr<Selection> SelectOrigin(const model::Catalog& catalog,
                                       const snapshot::Origin& origin) {
  const model::ServiceFamily* const family = model::FindFamily(catalog, origin.service);
  if (family != nullptr && family->version() != origin.version) {
    return absl::FailedPreconditionError(
        absl::StrCat("recorded with version ", origin.version, " of ", origin.service,
                     ", this build has version ", family->version()));
  }
  return SelectAnyVersion(catalog, origin);
}

}  // namespace foretell::agent
