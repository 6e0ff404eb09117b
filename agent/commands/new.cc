#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/commands/new_files.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

// Targets that CMake, or Foretell's package, has already.
constexpr const char* kTargets[] = {"all",           "clean",   "edit-cache", "foretell",
                                    "help",          "install", "package",    "package-source",
                                    "rebuild-cache", "test"};

absl::Status CheckName(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  const bool good = !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
                    name.back() != '-' && std::all_of(name.begin(), name.end(), fits);
  if (std::find(std::begin(kTargets), std::end(kTargets), name) != std::end(kTargets)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "new '", name, "': there is a CMake target of that name already; take another one"));
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "new '", name, "': a name is lower-case letters, digits and dashes, like ticket-office"));
}

// A folder that is there may hold somebody's work.
absl::Status WriteFiles(const fs::path& folder, const std::vector<NewFile>& files) {
  std::error_code error;
  if (!fs::create_directory(folder, error)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "new: ", folder.string(), ": ", error ? error.message() : "there is something already"));
  }
  for (const NewFile& file : files) {
    const absl::Status written = WriteFileAtomically((folder / file.name).string(), file.content);
    if (!written.ok()) return written;
  }
  return absl::OkStatus();
}

int RunNew(const std::string& name, Console& console) {
  if (absl::Status good = CheckName(name); !good.ok()) return Fail(console, good);
  const std::vector<NewFile> files = NewServiceFiles(name);
  if (absl::Status written = WriteFiles(name, files); !written.ok()) return Fail(console, written);
  for (const NewFile& file : files) console.out << name << "/" << file.name << "\n";
  const std::string library = files[1].name.substr(0, files[1].name.size() - 3);
  console.out
      << "\nNext:\n"
      << "  cd " << name << "\n"
      << "  cmake -B build && cmake --build build   # -DCMAKE_PREFIX_PATH=... where Foretell "
         "is installed\n"
      << "  ctest --test-dir build\n"
      << "  foretell check " << name << " --plugin build/lib" << library
      << ".so --bug forgets-numbers\n"
      << std::flush;
  return kExitNothing;
}

}  // namespace

Command AddNew(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("new", "Write a small service of your own, with a test, to change");
  app->footer("Example:\n  foretell new ticket-office");
  auto name = std::make_shared<std::string>();
  app->add_option("NAME", *name, "Of the service and of the folder it is written to")
      ->required()
      ->type_name("");
  return {app, std::make_shared<std::vector<std::string>>(),
          [name](const Parts&, Console& console) { return RunNew(*name, console); }};
}

}  // namespace foretell::agent
