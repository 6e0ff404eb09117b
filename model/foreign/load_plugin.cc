#include "foretell/model/foreign/load_plugin.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/model/foreign/carriers/library_carrier.h"
#include "foretell/model/foreign/carriers/process_carrier.h"
#include "foretell/model/foreign/carriers/service_symbols.h"
#include "foretell/model/foreign/service/foreign_family.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/plugin.h"

namespace foretell::model {
namespace {

using foreign::Connection;
using foreign::LibraryCarrier;
using foreign::ProcessCarrier;
using foreign::ServiceSymbols;

absl::Status Prefixed(const std::string& what, const absl::Status& status) {
  return {status.code(), absl::StrCat("plug-in ", what, ": ", std::string(status.message()))};
}

absl::StatusOr<Catalog> Validated(const std::string& what, absl::StatusOr<Catalog> families) {
  if (!families.ok()) return Prefixed(what, families.status());
  if (absl::Status valid = ValidateFamilies(what, *families); !valid.ok()) return valid;
  return families;
}

// Of all files that the command names: the program, or the script that an interpreter runs.
std::string CommandVersion(const std::string& command) {
  std::string versions;
  for (const auto& piece : absl::StrSplit(command, ' ', absl::SkipEmpty())) {
    const std::string word(piece);
    std::error_code error;
    if (std::filesystem::is_regular_file(word, error)) versions += FileVersion(word);
  }
  return versions.empty() ? "" : versions;
}

std::unique_ptr<ProcessCarrier> Processes(const std::string& command,
                                          const PluginOptions& options) {
  foreign::ProcessOptions limits{.memory_max = options.memory_max};
  limits.patiences.usual = {options.processor_time_max, options.asleep_max};
  limits.patiences.is_over = options.over;
  return std::make_unique<ProcessCarrier>(command, limits);
}

absl::StatusOr<Catalog> LoadProcess(const std::string& what, const PluginOptions& options) {
  const std::string command = what.substr(std::string(kExecPrefix).size());
  if (command.find_first_not_of(' ') == std::string::npos) {
    return Prefixed(what, absl::InvalidArgumentError("which command?"));
  }
  bool one_thread = false;  // Each process has but one thread that asks.
  std::string version = CommandVersion(command);
  if (version.empty()) version = kUnversioned;
  const auto connection =
      std::make_shared<Connection>(Processes(command, options), Processes(command, options));
  return Validated(what, DescribeFamilies(connection, version, one_thread));
}

absl::StatusOr<Catalog> LoadLibrary(const std::string& path, const ServiceSymbols& symbols,
                                    const PluginOptions& options) {
  if (const uint32_t version = symbols.abi(); version != FORETELL_SERVICE_ABI) {
    return Prefixed(path, absl::FailedPreconditionError(absl::StrCat(
                              "made for version ", version,
                              " of foretell_service.h, this foretell has ", FORETELL_SERVICE_ABI)));
  }
  auto carrier = std::make_unique<LibraryCarrier>(symbols.call);
  LibraryCarrier& library = *carrier;
  std::unique_ptr<ProcessCarrier> elsewhere;
  if (options.host) elsewhere = Processes(options.host(path), options);
  bool one_thread = false;
  absl::StatusOr<Catalog> families =
      DescribeFamilies(std::make_shared<Connection>(std::move(carrier), std::move(elsewhere)),
                       FileVersion(path), one_thread);
  if (families.ok() && one_thread) library.Serialize();
  return Validated(path, std::move(families));
}

}  // namespace

absl::StatusOr<Catalog> LoadPlugin(const std::string& what, const PluginOptions& options) {
  if (absl::StartsWith(what, kExecPrefix)) return LoadProcess(what, options);
  const absl::StatusOr<ServiceSymbols> symbols = foreign::FindService(what);
  if (!symbols.ok()) return symbols.status();
  if (symbols->abi == nullptr) return LoadCppPlugin(what);
  if (symbols->call == nullptr) {
    return Prefixed(what, absl::InvalidArgumentError(
                              "has foretell_service_abi, but no symbol foretell_service_call"));
  }
  // Foreign code runs from here on, and it may be C++ that throws.
  try {
    return LoadLibrary(what, *symbols, options);
  } catch (const std::exception& e) {
    return Prefixed(what, absl::InvalidArgumentError(absl::StrCat("threw: ", e.what())));
  }
}

}  // namespace foretell::model
