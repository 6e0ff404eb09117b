#include "foretell/agent/check/found_plugins.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/check/plugins.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/foreign/load_plugin.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

// A family that is known by the name of its file, and loaded when it is asked for anything else.
class FoundFamily final : public model::ServiceFamily {
 public:
  FoundFamily(std::string name, std::string what)
      : name_(std::move(name)), what_(std::move(what)) {}

  std::string name() const override { return name_; }
  std::string text() const override {
    const auto family = Loaded();
    return family.ok() ? (*family)->text() : std::string(family.status().message());
  }
  std::vector<model::Named> scenarios() const override {
    const auto family = Loaded();
    if (family.ok()) return (*family)->scenarios();
    return {{"none", "The plug-in cannot be loaded."}};
  }
  std::vector<model::Named> bugs() const override {
    const auto family = Loaded();
    return family.ok() ? (*family)->bugs() : std::vector<model::Named>();
  }
  std::vector<model::Parameter> parameters() const override {
    const auto family = Loaded();
    return family.ok() ? (*family)->parameters() : std::vector<model::Parameter>();
  }
  std::string live_scenario() const override {
    const auto family = Loaded();
    return family.ok() ? (*family)->live_scenario() : "";
  }
  std::string version() const override {
    const auto family = Loaded();
    return family.ok() ? (*family)->version() : model::kUnversioned;
  }
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override {
    const auto family = Loaded();
    if (!family.ok()) return family.status();
    return (*family)->Make(scenario, bug);
  }
  bool has_judge() const override {
    const auto family = Loaded();
    return family.ok() && (*family)->has_judge();
  }
  std::optional<std::string> SecondOpinion(const std::string& scenario, const std::string& bug,
                                           const model::Violation& violation) const override {
    const auto family = Loaded();
    if (!family.ok()) return std::nullopt;
    return (*family)->SecondOpinion(scenario, bug, violation);
  }

 private:
  absl::StatusOr<const model::ServiceFamily*> Loaded() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    if (families_.empty() && why_.ok()) why_ = Load();
    if (!why_.ok()) return why_;
    return model::FindFamily(families_, name_);
  }
  absl::Status Load() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (absl::Status loaded = AppendPlugins({what_}, families_); !loaded.ok()) return loaded;
    if (model::FindFamily(families_, name_) != nullptr) return absl::OkStatus();
    return absl::NotFoundError(absl::StrCat("plug-in ", what_, ": offers ",
                                            families_.front()->name(), " and not ", name_,
                                            ", as its file is called"));
  }

  const std::string name_;
  const std::string what_;
  mutable model::Mutex mutex_;
  mutable model::Catalog families_ ABSL_GUARDED_BY(mutex_);
  mutable absl::Status why_ ABSL_GUARDED_BY(mutex_);
};

// The service that a file would offer, and how it is loaded; nothing for files of another kind.
std::optional<std::pair<std::string, std::string>> PluginOf(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::string name = file.stem().string();
  if (file.extension() == ".so") {
    if (name.starts_with("lib")) name.erase(0, 3);
    return std::pair(name, file.string());
  }
  if (file.has_extension() || access(file.c_str(), X_OK) != 0) return std::nullopt;
  return std::pair(name, model::kExecPrefix + ShellWord(file.string()));
}

}  // namespace

std::vector<fs::path> PluginFolders() {
  std::vector<fs::path> folders;
  if (const char* const named = std::getenv("FORETELL_PLUGINS")) {
    for (const auto& folder : absl::StrSplit(named, ':', absl::SkipEmpty())) {
      folders.emplace_back(std::string(folder));
    }
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return folders;
  folders.push_back(program.parent_path() / "plugins");
  folders.push_back(program.parent_path().parent_path() / "lib" / "foretell" / "plugins");
  return folders;
}

void AppendFound(const std::vector<fs::path>& folders, model::Catalog& catalog) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());  // The order of a folder is nobody's.
    for (const fs::path& file : files) {
      auto plugin = PluginOf(file);
      if (!plugin || model::FindFamily(catalog, plugin->first) != nullptr) continue;
      catalog.push_back(std::make_unique<FoundFamily>(plugin->first, plugin->second));
    }
  }
}

bool IsFound(const model::ServiceFamily& family) {
  return dynamic_cast<const FoundFamily*>(&family) != nullptr;
}

}  // namespace foretell::agent
