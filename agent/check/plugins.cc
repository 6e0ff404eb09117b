#include "foretell/agent/check/plugins.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/plugin.h"

namespace foretell::agent {

absl::Status AppendPlugins(const std::vector<std::string>& paths, model::Catalog& catalog) {
  for (const std::string& path : paths) {
    absl::StatusOr<model::Catalog> families = model::LoadPlugin(path);
    if (!families.ok()) return families.status();
    for (auto& family : *families) {
      const std::string name = family->name();
      if (model::FindFamily(catalog, name) != nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("plug-in ", path, ": there is a service '", name, "' already"));
      }
      catalog.push_back(std::move(family));
    }
  }
  return absl::OkStatus();
}

}  // namespace foretell::agent
