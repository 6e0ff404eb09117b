#include "foretell/model/plugin.h"

#include <dlfcn.h>

#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"

namespace foretell::model {
namespace {

using EntryPoint = const PluginEntry* (*)();

constexpr std::string_view kElfMagic = "\177ELF";

std::string Line(const std::string& path, const std::string& why) {
  return absl::StrCat("plug-in ", path, ": ", why);
}

// What the dynamic linker says for these is about ELF headers; people deserve better.
absl::Status ValidateFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return absl::NotFoundError(Line(path, "no such file"));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return absl::InvalidArgumentError(Line(path, "not a file"));
  }
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic{};
  if (!file) return absl::InvalidArgumentError(Line(path, "cannot be read"));
  file.read(magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != kElfMagic) {
    return absl::InvalidArgumentError(Line(path, "not a shared library"));
  }
  return absl::OkStatus();
}

absl::StatusOr<EntryPoint> FindEntryPoint(const std::string& path) {
  const absl::StatusOr<void*> library = OpenLibrary(path);
  if (!library.ok()) return library.status();
  void* symbol = dlsym(*library, kPluginSymbol);
  if (symbol == nullptr) {
    return absl::InvalidArgumentError(
        Line(path, absl::StrCat("no symbol ", kPluginSymbol,
                                "; a plug-in says FORETELL_PLUGIN(family) once, or has the "
                                "functions of foretell_service.h")));
  }
  return reinterpret_cast<EntryPoint>(symbol);
}

absl::Status ValidateBuild(const std::string& path, const PluginEntry& plugin) {
  if (plugin.version != kPluginVersion) {
    return absl::FailedPreconditionError(Line(
        path,
        absl::StrCat("made for plug-in version ", plugin.version, ", this foretell has version ",
                     kPluginVersion, ": build it with the headers of this foretell")));
  }
  if (plugin.abi == nullptr || std::string_view(plugin.abi) != FORETELL_PLUGIN_ABI) {
    return absl::FailedPreconditionError(
        Line(path, absl::StrCat("built with \"", plugin.abi == nullptr ? "" : plugin.abi,
                                "\", this foretell with \"", FORETELL_PLUGIN_ABI,
                                "\": use the same compiler")));
  }
  return absl::OkStatus();
}

// A family whose version names its file or its sources, too.
class VersionedFamily final : public ServiceFamily {
 public:
  VersionedFamily(std::unique_ptr<ServiceFamily> family, std::string version)
      : family_(std::move(family)), version_(std::move(version)) {}
  std::string name() const override { return family_->name(); }
  std::string text() const override { return family_->text(); }
  std::vector<Named> scenarios() const override { return family_->scenarios(); }
  std::vector<Named> bugs() const override { return family_->bugs(); }
  std::vector<Parameter> parameters() const override { return family_->parameters(); }
  std::string live_scenario() const override { return family_->live_scenario(); }
  std::string version() const override { return version_; }
  absl::StatusOr<System> Make(const std::string& scenario, const std::string& bug) const override {
    return family_->Make(scenario, bug);
  }
  bool has_judge() const override { return family_->has_judge(); }
  std::optional<std::string> SecondOpinion(const std::string& scenario, const std::string& bug,
                                           const Violation& violation) const override {
    return family_->SecondOpinion(scenario, bug, violation);
  }

 private:
  std::unique_ptr<ServiceFamily> family_;
  std::string version_;
};

void GiveVersions(const std::string& path, const PluginEntry& plugin, Catalog& families) {
  const std::string hash =
      plugin.source_version != nullptr ? plugin.source_version : FileVersion(path);
  for (std::unique_ptr<ServiceFamily>& family : families) {
    const std::string word = family->version();
    // A word alone would stay the same where somebody forgets to change it.
    std::string version = word == kUnversioned ? hash : absl::StrCat(word, "-", hash);
    family = std::make_unique<VersionedFamily>(std::move(family), std::move(version));
  }
}

}  // namespace

absl::StatusOr<void*> OpenLibrary(const std::string& path) {
  if (absl::Status status = ValidateFile(path); !status.ok()) return status;
  // A bare name would be searched for in the system's folders instead of here. All symbols are
  // bound now: one that is missing must not surface in the middle of a search.
  const std::string absolute = std::filesystem::absolute(path).string();
  // There is no dlclose, not even after an error. Families and services are objects whose code is
  // in the library, and nothing says who drops the last of them; a process loads a handful of
  // plug-ins in its life.
  void* library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::InvalidArgumentError(Line(path, absl::StrCat("cannot be loaded: ", dlerror())));
  }
  return library;
}

absl::Status ValidateFamilies(const std::string& path, const Catalog& families) {
  if (families.empty()) return absl::InvalidArgumentError(Line(path, "has no service"));
  std::set<std::string> names;
  for (const auto& family : families) {
    if (family->name().empty() || family->scenarios().empty()) {
      return absl::InvalidArgumentError(
          Line(path, absl::StrCat("service \"", family->name(), "\" needs a name and at least ",
                                  "one scenario, has ", family->scenarios().size())));
    }
    if (!names.insert(family->name()).second) {
      return absl::InvalidArgumentError(
          Line(path, absl::StrCat("two services are named ", family->name())));
    }
  }
  return absl::OkStatus();
}

std::string FileVersion(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return absl::StrCat("file-", absl::Hex(HashBytes(bytes), absl::kZeroPad16));
}

absl::StatusOr<Catalog> LoadCppPlugin(const std::string& path) {
  const absl::StatusOr<EntryPoint> entry = FindEntryPoint(path);
  if (!entry.ok()) return entry.status();
  // Foreign code runs from here on, and it may throw.
  try {
    const PluginEntry* plugin = (*entry)();
    if (plugin == nullptr) {
      return absl::InvalidArgumentError(
          Line(path, absl::StrCat(kPluginSymbol, " returned nothing")));
    }
    if (absl::Status status = ValidateBuild(path, *plugin); !status.ok()) return status;
    Catalog families;
    plugin->add_families(families);
    if (absl::Status status = ValidateFamilies(path, families); !status.ok()) return status;
    GiveVersions(path, *plugin, families);
    return families;
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(Line(path, absl::StrCat("threw: ", e.what())));
  } catch (...) {
    return absl::InvalidArgumentError(Line(path, "threw something that is no exception"));
  }
}

}  // namespace foretell::model
