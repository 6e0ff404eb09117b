#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/sidecar/config/file.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

struct TlsKey {
  const char* name;
  const std::string& file;
};
std::vector<TlsKey> TlsKeys(const snapshot::TlsFiles& tls) {
  return {
      {"tls.certificate", tls.certificate}, {"tls.key", tls.key}, {"tls.authority", tls.authority}};
}

// All three files or none. Returns whether that is so.
bool CheckTlsFiles(const Config& config, Mistakes& mistakes) {
  std::vector<std::string> missing;
  std::string given;
  for (const TlsKey& key : TlsKeys(config.tls)) {
    if (key.file.empty()) {
      missing.push_back(key.name);
    } else {
      given = key.name;
    }
  }
  if (missing.empty() || given.empty()) return true;
  mistakes.Add(config.PlaceOf(given),
               absl::StrCat("is of no use without ", absl::StrJoin(missing, " and ")));
  return false;
}

void NeedFolder(const Config& config, const char* key, const fs::path& folder, Mistakes& mistakes) {
  std::error_code ignored;
  if (fs::is_directory(folder.empty() ? "." : folder, ignored)) return;
  mistakes.Add(config.PlaceOf(key), absl::StrCat("there is no folder ", folder.string()));
}

}  // namespace

void CheckTogether(const Config& config, Mistakes& mistakes) {
  if (config.service.empty()) mistakes.Add(config.PlaceOf("service.name"), "is missing");
  // A list of nodes that could not be read was complained of already.
  if (config.nodes.empty() && !config.places.contains("nodes")) {
    mistakes.Add(config.PlaceOf("nodes"), "there is no [[nodes]] entry: whom to watch?");
  }
  if (!CheckTlsFiles(config, mistakes)) return;
  for (size_t n = 0; n < config.nodes.size(); ++n) {
    const absl::Status secure = snapshot::CheckSecurity(config.nodes[n].address, config.tls);
    if (secure.ok()) continue;
    mistakes.Add(config.PlaceOf(absl::StrCat("nodes.", n)), std::string(secure.message()));
  }
}

std::vector<std::string> MissingFiles(const Config& config) {
  Mistakes missing;
  for (const TlsKey& key : TlsKeys(config.tls)) {
    if (key.file.empty() || access(key.file.c_str(), R_OK) == 0) continue;
    missing.Add(config.PlaceOf(key.name), key.file + " cannot be read");
  }
  const std::pair<const char*, const std::string*> files[] = {
      {"archive.path", &config.archive},
      {"audit.path", &config.audit},
      {"kill_switch.socket", &config.control},
      {"kill_switch.file", &config.kill_file}};
  for (const auto& [key, file] : files) {
    if (!file->empty()) NeedFolder(config, key, fs::path(*file).parent_path(), missing);
  }
  if (!config.bundles.empty()) NeedFolder(config, "bundles.path", config.bundles, missing);
  return missing.Lines();
}

}  // namespace foretell::agent
