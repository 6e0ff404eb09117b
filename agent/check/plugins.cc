#include "foretell/agent/check/plugins.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/found_plugins.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/guard/guard.h"
#include "foretell/model/foreign/load_plugin.h"

namespace foretell::agent {
namespace {

// A limit that the environment may set, read by `parse`.
template <class Limit, class Parse>
absl::Status ReadLimit(const char* variable, Parse&& parse, Limit& limit) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return absl::OkStatus();
  const auto read = parse(text);
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(variable, ": ", std::string(read.status().message())));
  }
  limit = *read;
  return absl::OkStatus();
}

// This program, as a process that answers with a library (commands/serve_plugin.cc).
std::string HostOf(const std::string& path) {
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return absl::StrCat("exec ", ShellWord(program), " serve-plugin ", ShellWord(path));
}

absl::StatusOr<model::PluginOptions> Limits() {
  model::PluginOptions options{.over = IsOver};
  // Only the program itself can be its own host: a test is another.
  std::error_code error;
  if (std::filesystem::read_symlink("/proc/self/exe", error).filename() == "foretell") {
    options.host = HostOf;
  }
  constexpr int kAsleep = 6;  // One that sleeps is waited for this many times as long.
  absl::Status read = ReadLimit("FORETELL_EXEC_TIME", ParseDuration, options.processor_time_max);
  if (read.ok()) read = ReadLimit("FORETELL_EXEC_MEMORY", ParseSize, options.memory_max);
  if (!read.ok()) return read;
  options.asleep_max = kAsleep * options.processor_time_max;
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
      std::erase_if(catalog,
                    [&](const auto& known) { return known->name() == name && IsFound(*known); });
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
