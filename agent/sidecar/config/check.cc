#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/sidecar/config/file.h"
#include "foretell/agent/sidecar/config/keys.h"

namespace foretell::agent {
namespace {

namespace fs = std::filesystem;

// All three files or none. Returns whether that is so.
bool CheckTlsFiles(const Config& config, Mistakes& mistakes) {
  std::vector<std::string> missing;
  std::string given;
  for (const ConfigKey& key : AllConfigKeys()) {
    if (!key.name.starts_with("tls.")) continue;
    if (key.value.get(config).empty()) {
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

// The complaint about what `key` needs and this machine lacks; empty if there is none.
std::string ComplaintOf(const ConfigKey& key, const Config& config) {
  using Form = ConfigKey::Form;
  const Form form = key.value.form;
  if (form != Form::kFile && form != Form::kNewFile && form != Form::kFolder) return "";
  const std::string path = key.value.get(config);
  if (path.empty()) return "";
  if (form == Form::kFile) return access(path.c_str(), R_OK) == 0 ? "" : path + " cannot be read";
  const fs::path folder = form == Form::kFolder ? fs::path(path) : fs::path(path).parent_path();
  std::error_code ignored;
  if (fs::is_directory(folder.empty() ? "." : folder, ignored)) return "";
  return "there is no folder " + folder.string();
}

// Nodes that are told apart by their numbers alone would be one node twice.
void CheckAddresses(const Config& config, Mistakes& mistakes) {
  std::map<std::string, size_t> seen;
  for (size_t n = 0; n < config.nodes.size(); ++n) {
    const std::string address = snapshot::ToString(config.nodes[n].address);
    if (address.empty() || address == snapshot::ToString(snapshot::Address{})) continue;
    const auto [first, added] = seen.try_emplace(address, n);
    if (added) continue;
    mistakes.Add(
        config.PlaceOf(absl::StrCat("nodes.", n)),
        absl::StrCat("node ", n, " has the address of node ", first->second, ", ", address));
  }
}

// The paths that the agent writes or listens on are all different; so is the address of its page.
void CheckPaths(const Config& config, Mistakes& mistakes) {
  std::map<std::string, std::string> seen;  // By path, in its plain spelling: the key.
  for (size_t n = 0; n < config.nodes.size(); ++n) {
    const snapshot::Address& address = config.nodes[n].address;
    if (!address.tcp && !address.path.empty()) {
      seen.try_emplace(fs::path(address.path).lexically_normal().string(),
                       absl::StrCat("the socket of node ", n));
    }
  }
  for (const ConfigKey& key : AllConfigKeys()) {
    const std::string path =
        key.value.form == ConfigKey::Form::kNewFile || key.value.form == ConfigKey::Form::kFile
            ? key.value.get(config)
            : "";
    if (path.empty()) continue;
    const auto [first, added] =
        seen.try_emplace(fs::path(path).lexically_normal().string(), key.name);
    if (added) continue;
    mistakes.Add(config.PlaceOf(key.name),
                 absl::StrCat(path, " is ", first->second, " already: one file, one purpose"));
  }
}

// True iff vetoes are wanted, or somebody has thought of them.
bool Vetoes(const Config& config) {
  const auto steers = [](const auto& mode) { return snapshot::Steers(mode.second); };
  return snapshot::Steers(config.mode) || config.places.contains("veto.lease") ||
         std::any_of(config.modes.begin(), config.modes.end(), steers) ||
         std::any_of(config.variable_modes.begin(), config.variable_modes.end(), steers);
}

// Values that are fine alone.
void CheckValues(const Config& config, Mistakes& mistakes) {
  if (Vetoes(config) && config.lease < config.period) {
    mistakes.Add(
        config.PlaceOf("veto.lease"),
        absl::StrCat(DurationText(config.lease), " is shorter than rounds.period, ",
                     DurationText(config.period), ": every veto would end before it is renewed"));
  }
}

}  // namespace

void CheckTogether(const Config& config, Mistakes& mistakes) {
  if (config.service.empty()) mistakes.Add(config.PlaceOf("service.name"), "is missing");
  // A list of nodes that could not be read was complained of already.
  if (config.nodes.empty() && !config.places.contains("nodes")) {
    mistakes.Add(config.PlaceOf("nodes"), "there is no [[nodes]] entry: whom to watch?");
  }
  CheckAddresses(config, mistakes);
  CheckPaths(config, mistakes);
  CheckValues(config, mistakes);
  if (!CheckTlsFiles(config, mistakes)) return;
  for (size_t n = 0; n < config.nodes.size(); ++n) {
    const absl::Status secure = snapshot::CheckSecurity(config.nodes[n].address, config.tls);
    if (secure.ok()) continue;
    mistakes.Add(config.PlaceOf(absl::StrCat("nodes.", n)), std::string(secure.message()));
  }
}

std::vector<std::string> MissingFiles(const Config& config) {
  Mistakes missing;
  for (const ConfigKey& key : AllConfigKeys()) {
    const std::string complaint = ComplaintOf(key, config);
    if (!complaint.empty()) missing.Add(config.PlaceOf(key.name), complaint);
  }
  return missing.Lines();
}

}  // namespace foretell::agent
