#include "foretell/agent/check/plugins.h"

#include <chrono>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/agent/guard/guard.h"
#include "foretell/model/foreign/load_plugin.h"

namespace foretell::agent {
namespace {

// A number that the environment may set.
absl::Status ReadLimit(const char* variable, int64_t& limit) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || (absl::SimpleAtoi(text, &limit) && limit > 0)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(variable, "='", text, "': must be a whole number of at least 1"));
}

absl::StatusOr<model::PluginOptions> Limits() {
  model::PluginOptions options{.over = IsOver};
  int64_t seconds = std::chrono::ceil<std::chrono::seconds>(options.processor_time_max).count();
  auto mebibytes = static_cast<int64_t>(options.memory_max >> 20);
  absl::Status read = ReadLimit("FORETELL_EXEC_SECONDS", seconds);
  if (read.ok()) read = ReadLimit("FORETELL_EXEC_MEBIBYTES", mebibytes);
  if (!read.ok()) return read;
  options.processor_time_max = std::chrono::seconds(seconds);
  options.memory_max = static_cast<uint64_t>(mebibytes) << 20;
  return options;
}

}  // namespace

absl::Status AppendPlugins(const std::vector<std::string>& paths, model::Catalog& catalog) {
  const absl::StatusOr<model::PluginOptions> limits = Limits();
  if (!limits.ok()) return limits.status();
  for (const std::string& path : paths) {
    absl::StatusOr<model::Catalog> families = model::LoadPlugin(path, *limits);
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
