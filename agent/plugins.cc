#include "agent/plugins.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/plugin.h"

namespace foretell::agent {

absl::Status AppendPlugins(const std::vector<std::string>& paths, model::Catalog& catalog) {
  for (const std::string& path : paths) {
    absl::StatusOr<model::Catalog> families = model::LoadPlugin(path);
    if (!families.ok()) return families.status();
    for (auto& family : *families) {
      const std::string name = family->name();
      const bool taken = std::any_of(catalog.begin(), catalog.end(),
                                     [&](const auto& known) { return known->name() == name; });
      if (taken) {
        return absl::InvalidArgumentError(
            absl::StrCat("plug-in ", path, ": there is a service '", name, "' already"));
      }
      catalog.push_back(std::move(family));
    }
  }
  return absl::OkStatus();
}

}  // namespace foretell::agent
