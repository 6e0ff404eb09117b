#include "foretell/agent/debug/subject.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/debug/saved_path.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"
#include "foretell/model/nearest_name.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/storage/frame.h"

namespace foretell::agent {
namespace {

// The place of `word`, a number from 1, among `count` things called `noun`.
absl::StatusOr<size_t> IndexOf(const std::string& option, const std::string& word,
                               const std::string& noun, size_t count) {
  const auto wanted = ParseCount(word);
  if (!wanted.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": ", std::string(wanted.status().message())));
  }
  if (*wanted <= count) return *wanted - 1;
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": there is no ", noun, " ", *wanted, ", there are ", count));
}

absl::StatusOr<Subject> FromService(const SubjectRequest& request, const Parts& parts) {
  auto selection = Select(parts.catalog, request.what, request.scenario, request.bug);
  if (!selection.ok()) return selection.status();
  Subject subject{.selection = *std::move(selection)};
  const Selection& made = subject.selection;
  subject.title = absl::StrCat(made.service, ", scenario ", made.scenario,
                               made.bug.empty() ? "" : ", bug ", made.bug);
  subject.start = made.system.start;
  return subject;
}

absl::StatusOr<Subject> FromReport(const SubjectRequest& request, const Parts& parts) {
  const auto text = ReadFile(request.what);
  if (!text.ok()) return text.status();
  auto record = FromJson(*text);
  if (!record.ok()) return record.status();
  auto selection = Select(parts.catalog, record->service, record->scenario, record->bug);
  if (!selection.ok()) return selection.status();
  Subject subject{.selection = *std::move(selection),
                  .title = TitleOf(*record),
                  .engine = record->engine,
                  .start = std::move(record->start)};
  std::vector<model::Violation>& violations = record->report.violations;
  if (violations.empty() && request.violation.empty()) {
    auto path = ReadSavedPath(*text);
    if (!path.ok()) return path.status();
    subject.path = *std::move(path);
    return subject;
  }
  const auto index = IndexOf("--violation", request.violation.empty() ? "1" : request.violation,
                             "violation", violations.size());
  if (!index.ok()) return index.status();
  subject.path = std::move(violations[*index].path);
  subject.invariant = violations[*index].invariant;
  subject.death = violations[*index].death;
  return subject;
}

absl::StatusOr<Selection> SelectRecorded(const SubjectRequest& request, const Parts& parts,
                                         const snapshot::Origin& origin,
                                         std::vector<std::string>& warnings) {
  auto selection = SelectOrigin(parts.catalog, origin);
  if (selection.status().code() != absl::StatusCode::kFailedPrecondition) return selection;
  const std::string why(selection.status().message());
  if (!request.force) {
    return absl::FailedPreconditionError(absl::StrCat(why, "; --force debugs it all the same"));
  }
  warnings.push_back(why);
  return SelectAnyVersion(parts.catalog, origin);
}

absl::StatusOr<Subject> FromBundle(const SubjectRequest& request, const Parts& parts) {
  auto bundle = snapshot::ReadBundle(request.what);
  if (!bundle.ok()) return bundle.status();
  Subject subject;
  auto selection = SelectRecorded(request, parts, bundle->recorded.origin, subject.warnings);
  if (!selection.ok()) return selection.status();
  subject.selection = *std::move(selection);
  const Selection& made = subject.selection;
  subject.title = absl::StrCat(made.service, ", scenario ", made.scenario,
                               made.bug.empty() ? "" : ", bug ", made.bug, ", engine ",
                               bundle->engine, ", snapshot ", bundle->recorded.snapshot.number);
  subject.engine = bundle->engine;
  subject.start =
      std::move(bundle->imagined.nodes.empty() ? bundle->recorded.snapshot.cut : bundle->imagined);
  subject.path = std::move(bundle->path);
  subject.invariant = bundle->invariant;
  subject.death = std::move(bundle->death);
  subject.taken = bundle->recorded.taken;
  return subject;
}

// The cut as it was, or with what the test driver imagines in its K-th space.
absl::StatusOr<model::SystemCut> StartOf(const SubjectRequest& request,
                                         const model::Service& service, model::SystemCut cut) {
  if (request.imagine.empty()) return cut;
  auto spaces = SpacesOf(service, cut);
  if (!spaces.ok()) return spaces.status();
  const auto index = IndexOf("--imagine", request.imagine, "space", spaces->size());
  if (!index.ok()) return index.status();
  return std::move((*spaces)[*index].cut);
}

absl::StatusOr<Subject> FromArchive(const SubjectRequest& request, const Parts& parts) {
  auto recorded = LoadStart(request.what);
  if (!recorded.ok()) return recorded.status();
  Subject subject;
  auto selection = SelectRecorded(request, parts, recorded->recorded.origin, subject.warnings);
  if (!selection.ok()) return selection.status();
  subject.selection = *std::move(selection);
  auto start = StartOf(request, *subject.selection.system.service,
                       std::move(recorded->recorded.snapshot.cut));
  if (!start.ok()) return start.status();
  subject.start = *std::move(start);
  subject.title = absl::StrCat(subject.selection.service, ", ", recorded->name);
  subject.taken = recorded->recorded.taken;
  for (const snapshot::Loss& loss : recorded->lost) {
    subject.warnings.push_back(absl::StrCat("lost: ", LossText(loss)));
  }
  return subject;
}

// One of the ways to begin, and the options that mean something to it.
struct Kind {
  const char* name;
  bool scenario = false;
  bool violation = false;
  bool imagine = false;
  bool force = false;
  absl::StatusOr<Subject> (*load)(const SubjectRequest& request, const Parts& parts);
};

constexpr Kind kService{.name = "a service", .scenario = true, .load = FromService};
constexpr Kind kReport{.name = "a report", .violation = true, .load = FromReport};
constexpr Kind kBundle{.name = "a bundle", .force = true, .load = FromBundle};
constexpr Kind kArchive{
    .name = "a recorded cut", .imagine = true, .force = true, .load = FromArchive};

absl::StatusOr<const Kind*> KindOf(const SubjectRequest& request, const Parts& parts) {
  std::vector<std::string> services;
  for (const auto& family : parts.catalog) services.push_back(family->name());
  if (model::FindFamily(parts.catalog, request.what) != nullptr) return &kService;
  const auto frame = snapshot::KindOfFile(request.what);
  if (frame.ok()) return *frame == snapshot::FrameKind::kBundle ? &kBundle : &kArchive;
  std::error_code ignored;
  if (std::filesystem::exists(request.what, ignored)) {
    const auto text = ReadFile(request.what);
    if (!text.ok()) return text.status();
    const size_t first = text->find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (*text)[first] == '{') return &kReport;
    return frame.status();
  }
  if (request.what.find('#') != std::string::npos) return &kArchive;
  if (model::NearestName(request.what, services).empty()) return frame.status();
  return model::UnknownName("file or service", request.what, services);
}

// An option that would be ignored is an error: the user would draw wrong conclusions.
absl::Status CheckOptions(const SubjectRequest& request, const Kind& kind) {
  const std::pair<const char*, bool> refused[] = {
      {"--scenario", !request.scenario.empty() && !kind.scenario},
      {"--bug", !request.bug.empty() && !kind.scenario},
      {"--violation", !request.violation.empty() && !kind.violation},
      {"--imagine", !request.imagine.empty() && !kind.imagine},
      {"--force", request.force && !kind.force}};
  for (const auto& [option, given] : refused) {
    if (given) {
      return absl::InvalidArgumentError(absl::StrCat(option, " means nothing to ", kind.name));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Subject> LoadSubject(const SubjectRequest& request, const Parts& parts) {
  const auto kind = KindOf(request, parts);
  if (!kind.ok()) return kind.status();
  if (absl::Status sensible = CheckOptions(request, **kind); !sensible.ok()) return sensible;
  auto subject = (*kind)->load(request, parts);
  if (subject.ok() || *kind == &kService) return subject;
  const std::string message(subject.status().message());
  // What reads files names them itself, without a number behind.
  const std::string file = request.what.substr(0, request.what.rfind('#'));
  if (message.starts_with(file) || message.starts_with("--")) return subject;
  return absl::InvalidArgumentError(absl::StrCat(request.what, ": ", message));
}

}  // namespace foretell::agent
