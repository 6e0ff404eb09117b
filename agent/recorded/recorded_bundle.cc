#include "foretell/agent/recorded/recorded_bundle.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/found_plugins.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/recorded/recorded_path.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/model/nearest_name.h"
#include "foretell/predictors/death_search.h"

namespace foretell::agent {

using snapshot::Bundle;

namespace {

// A plug-in is a program: what a file from anywhere names is loaded only from the user's own
// folders, and never by its path. Services that are known by their names are in the catalogue
// already.
const model::Catalog& CatalogFor(const Parts& parts, const Bundle& bundle, model::Catalog& own) {
  namespace fs = std::filesystem;
  if (model::FindFamily(parts.catalog, bundle.recorded.origin.service) != nullptr) {
    return parts.catalog;
  }
  for (const std::string& plugin : bundle.plugins) {
    for (const fs::path& folder : PluginFolders()) {
      const fs::path file = folder / fs::path(plugin).filename();
      std::error_code ignored;
      if (!fs::is_regular_file(file, ignored)) continue;
      if (AppendPlugins({file.string()}, own).ok()) break;
    }
  }
  return own.empty() ? parts.catalog : own;
}

}  // namespace

const model::SystemCut& StartOf(const Bundle& bundle) {
  return bundle.imagined.nodes.empty() ? bundle.recorded.snapshot.cut : bundle.imagined;
}

bool IsEventual(const model::Service& service, const std::string& invariant) {
  const auto infos = service.invariants();
  return std::any_of(infos.begin(), infos.end(), [&](const model::InvariantInfo& info) {
    return info.name == invariant && info.eventually;
  });
}

absl::StatusOr<model::Violation> Reproduce(const model::Service& service, const Bundle& bundle) {
  auto violation = ReplayRecorded(service, StartOf(bundle), bundle.invariant, bundle.path);
  if (!violation.ok() || !IsEventual(service, bundle.invariant)) return violation;
  constexpr uint64_t kStepsMax = 20'000'000;  // Some seconds of work at most.
  model::Budget enough({.steps_max = kStepsMax}, [] { return model::Budget::Time{}; });
  auto death =
      predictors::ConfirmDeath(service, StartOf(bundle), bundle.invariant, violation->path, enough);
  if (!death.ok()) return death.status();
  if (*death) return **std::move(death);
  return absl::FailedPreconditionError(
      absl::StrCat("the path replays, but where it ends ", bundle.invariant,
                   enough.spent() ? " was not proved to be dead within the limit on steps"
                                  : " is not dead any more"));
}

absl::Status CheckInvariant(const model::Service& service, const std::string& invariant) {
  std::vector<std::string> names = {model::kLocalAssertions};
  for (const model::InvariantInfo& info : service.invariants()) names.push_back(info.name);
  if (std::find(names.begin(), names.end(), invariant) != names.end()) return absl::OkStatus();
  return model::UnknownName("invariant", invariant, names);
}

absl::StatusOr<Selection> SelectFor(const Bundle& bundle, bool force, const Parts& parts,
                                    model::Catalog& found, Console& console) {
  const model::Catalog& catalog = CatalogFor(parts, bundle, found);
  auto selection = SelectOrigin(catalog, bundle.recorded.origin);
  if (model::FindFamily(catalog, bundle.recorded.origin.service) == nullptr &&
      !bundle.plugins.empty()) {
    return absl::NotFoundError(absl::StrCat(
        std::string(selection.status().message()), "; it came from the plug-in ",
        bundle.plugins.front(), ": name it with --plugin, or its folder in FORETELL_PLUGINS"));
  }
  if (selection.status().code() != absl::StatusCode::kFailedPrecondition) return selection;
  const std::string why(selection.status().message());
  if (!force) {
    return absl::FailedPreconditionError(absl::StrCat(why, "; --force replays it all the same"));
  }
  console.err << "foretell: warning: " << Printable(why, console.err_style.utf8) << "\n";
  return SelectAnyVersion(catalog, bundle.recorded.origin);
}

}  // namespace foretell::agent
