#include "foretell/agent/sidecar/config/config.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/config/file.h"
#include "foretell/agent/sidecar/config/keys.h"
#include "foretell/model/hash.h"

namespace foretell::agent {
namespace {

constexpr const char* kInvariants = "invariants.";
constexpr const char* kPrefix = "FORETELL_";

// The section that a variable is about; empty if it is about none. Others use the prefix, too.
std::string SectionOf(const std::string& variable) {
  for (const std::string& section : ConfigSections()) {
    if (variable.starts_with(kPrefix + VariableName(section) + "_")) return section;
  }
  return "";
}

void ApplyKey(const std::string& source, const std::string& name, const std::string& value,
              Config& config, Mistakes& mistakes) {
  config.places[name] = {source};
  const absl::Status status = SetConfigKey(config, name, value);
  if (!status.ok()) mistakes.Add(config.PlaceOf(name), std::string(status.message()));
}

// A name that means nothing is only a warning: a cluster manager can set FORETELL_SERVICE_HOST for
// reasons of its own.
void WarnOf(const std::string& variable, const std::string& section, Config& config) {
  const std::string key =
      section + "." + absl::AsciiStrToLower(variable.substr((kPrefix + section + "_").size()));
  const std::string why = section == "nodes" ? "nodes are only read from the file"
                                             : std::string(UnknownKey(key).message());
  config.warnings.push_back(Printable(absl::StrCat(variable, ": is ignored: ", why), true));
}

void ApplyVariable(const std::string& variable, const std::string& value, Config& config,
                   Mistakes& mistakes) {
  const std::string section = SectionOf(variable);
  if (section.empty()) return;
  for (const ConfigKey& key : AllConfigKeys()) {
    if (variable != kPrefix + VariableName(key.name)) continue;
    return ApplyKey(variable, key.name, value, config, mistakes);
  }
  if (section != "invariants") return WarnOf(variable, section, config);
  const auto mode = snapshot::ParseMode(value);
  if (!mode.ok()) {
    return mistakes.Add({variable}, std::string(mode.status().message()));
  }
  config.variable_modes[variable.substr((kPrefix + VariableName(kInvariants)).size())] = *mode;
}

void ApplyOverrides(const Overrides& overrides, Config& config, Mistakes& mistakes) {
  for (const auto& [variable, value] : overrides.environment) {
    ApplyVariable(variable, value, config, mistakes);
  }
  for (const auto& [name, value] : overrides.settings) {
    ApplyKey("--set " + name, name, value, config, mistakes);
    if (!name.starts_with(kInvariants)) continue;
    config.variable_modes.erase(VariableName(name.substr(std::string(kInvariants).size())));
  }
}

// Names what the agent was told, whatever way it was told: equal texts, equal hash.
std::string HashOf(const std::string& text, const Overrides& overrides) {
  std::string all = text;
  for (const auto& [name, value] : overrides.environment) {
    if (name.starts_with(kPrefix)) absl::StrAppend(&all, "\n", name, "=", value);
  }
  for (const auto& [name, value] : overrides.settings)
    absl::StrAppend(&all, "\n", name, "=", value);
  return absl::StrCat(absl::Hex(model::HashBytes(all), absl::kZeroPad16));
}

}  // namespace

std::string VariableName(const std::string& name) {
  return absl::AsciiStrToUpper(absl::StrReplaceAll(name, {{".", "_"}, {"-", "_"}}));
}

snapshot::Mode Config::ModeOf(const std::string& invariant) const {
  const auto found = modes.find(invariant);
  return found == modes.end() ? mode : found->second;
}

Place Config::PlaceOf(const std::string& key) const {
  const auto place = places.find(key);
  return place == places.end() ? Place{absl::StrCat(file, ": ", key)} : place->second;
}

absl::Status SetConfigKey(Config& config, const std::string& name, const std::string& value) {
  if (const ConfigKey* key = FindConfigKey(name)) return key->value.set(config, value);
  if (!name.starts_with(kInvariants)) return UnknownKey(name);
  const auto mode = snapshot::ParseMode(value);
  if (mode.ok()) config.modes[name.substr(std::string(kInvariants).size())] = *mode;
  return mode.status();
}

absl::StatusOr<Config> ParseConfig(const std::string& file, const std::string& text,
                                   const Overrides& overrides) {
  Config config;
  config.file = file;
  Mistakes mistakes;
  if (absl::Status read = ReadConfigFile(text, config, mistakes); !read.ok()) return read;
  ApplyOverrides(overrides, config, mistakes);
  CheckTogether(config, mistakes);
  if (mistakes.count() > 0) return mistakes.status();
  config.hash = HashOf(text, overrides);
  return config;
}

}  // namespace foretell::agent
