#include "foretell/model/foreign/service/foreign_family.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/service/foreign_service.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/scenario.h"

namespace foretell::model::foreign {
namespace {

// Names are what invariants are known by in reports and options.
absl::Status ValidateInvariants(const SystemRecord& record) {
  std::set<std::string> names;
  for (const InvariantInfo& info : record.invariants) {
    if (info.name.empty() || !names.insert(info.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("OPEN: two invariants are named '", info.name, "', or one has no name"));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateParameters(const FamilyRecord& family) {
  for (const Parameter& parameter : family.parameters) {
    if (parameter.value < parameter.min || parameter.value > parameter.max) {
      return absl::InvalidArgumentError(
          absl::StrCat("service ", family.named.name, ": parameter ", parameter.named.name, " is ",
                       parameter.value, ", must be from ", parameter.min, " to ", parameter.max));
    }
  }
  return absl::OkStatus();
}

struct Opened {
  uint32_t system;
  std::string request;
  SystemRecord record;
};

absl::StatusOr<Opened> Open(Connection& connection, const std::string& family,
                            const ScenarioSpec& spec, const std::string& bug) {
  Opened opened{.system = ++connection.systems};
  Writer request;
  request.U32(opened.system);
  request.Blob(family);
  request.Blob(spec.name);
  request.Blob(bug);
  request.List(spec.settings, [&](const auto& setting) {
    request.Blob(setting.first);
    request.I64(setting.second);
  });
  opened.request = request.Take();
  std::string reply;
  absl::Status status = connection.carrier->Open(opened.system, opened.request, reply);
  if (!status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("OPEN: ", std::string(status.message())));
  }
  Reader in(reply);
  std::string refused;
  opened.record = ReadSystem(in, refused);
  if (!in.ok()) {
    status = absl::InvalidArgumentError(absl::StrCat("OPEN: ", in.error()));
  } else if (!refused.empty()) {
    status = absl::InvalidArgumentError(refused);
  } else {
    status = ValidateInvariants(opened.record);
  }
  if (status.ok()) return opened;
  connection.carrier->Close(opened.system);
  return status;
}

}  // namespace

absl::StatusOr<Catalog> DescribeFamilies(const std::shared_ptr<Connection>& connection,
                                         const std::string& file_version, bool& one_thread) {
  Writer request;
  request.U32(FORETELL_SERVICE_ABI);
  std::string reply;
  const absl::Status status = connection->carrier->Call(FORETELL_DESCRIBE, request.bytes(), reply);
  if (!status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("DESCRIBE: ", std::string(status.message())));
  }
  Reader in(reply);
  std::vector<FamilyRecord> records = ReadFamilies(in);
  if (!in.ok()) return absl::InvalidArgumentError(absl::StrCat("DESCRIBE: ", in.error()));
  Catalog families;
  for (FamilyRecord& record : records) {
    if (absl::Status valid = ValidateParameters(record); !valid.ok()) return valid;
    one_thread = one_thread || record.one_thread;
    std::string version =
        record.version.empty() ? file_version : absl::StrCat(record.version, "-", file_version);
    families.push_back(
        std::make_unique<ForeignFamily>(connection, std::move(record), std::move(version)));
  }
  return families;
}

ForeignFamily::ForeignFamily(std::shared_ptr<Connection> connection, FamilyRecord record,
                             std::string version)
    : connection_(std::move(connection)),
      record_(std::move(record)),
      version_(std::move(version)) {}

absl::StatusOr<System> ForeignFamily::Make(const std::string& scenario,
                                           const std::string& bug) const {
  const absl::StatusOr<ScenarioSpec> spec = ParseScenario(scenario);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<Opened> opened = Open(*connection_, record_.named.name, *spec, bug);
  if (!opened.ok()) return opened.status();
  System system{.components = std::exchange(opened->record.components, {})};
  std::optional<SystemCut> start = std::exchange(opened->record.start, {});
  system.service = std::make_unique<ForeignService>(
      connection_, opened->system, std::move(opened->request), std::move(opened->record));
  system.start = start ? *std::move(start) : InitialCut(*system.service);
  return system;
}

std::optional<std::string> ForeignFamily::SecondOpinion(const std::string& scenario,
                                                        const std::string& bug,
                                                        const Violation& violation) const {
  if (!record_.has_judge) return std::nullopt;
  const absl::StatusOr<ScenarioSpec> spec = ParseScenario(scenario);
  if (!spec.ok()) return std::nullopt;
  absl::StatusOr<Opened> opened = Open(*connection_, record_.named.name, *spec, bug);
  if (!opened.ok()) return std::nullopt;
  return ForeignService(connection_, opened->system, std::move(opened->request),
                        std::move(opened->record))
      .Opinion(violation.invariant, violation.path);
}

}  // namespace foretell::model::foreign
