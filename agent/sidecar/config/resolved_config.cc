#include "foretell/agent/sidecar/config/resolved_config.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/sidecar/config/mistakes.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

using snapshot::Mode;

std::vector<std::string> WatchedNames(const model::Service& service) {
  std::vector<std::string> names = {model::kLocalAssertions};
  for (const model::InvariantInfo& invariant : service.invariants()) {
    names.push_back(invariant.name);
  }
  return names;
}

// Variables cannot tell '-' from '_', nor letters from capitals.
void TakeVariableModes(const std::vector<std::string>& names, Config& config, Mistakes& mistakes) {
  for (const auto& [variable, mode] : config.variable_modes) {
    bool known = false;
    for (const std::string& name : names) {
      if (VariableName(name) != variable) continue;
      config.modes[name] = mode;
      known = true;
    }
    if (known) continue;
    mistakes.Add({"FORETELL_INVARIANTS_" + variable},
                 std::string(model::UnknownName("invariant", variable, names).message()));
  }
}

void CheckModes(const model::Service& service, Config& config, Mistakes& mistakes) {
  const std::vector<std::string> names = WatchedNames(service);
  for (const auto& [invariant, mode] : config.modes) {
    if (std::find(names.begin(), names.end(), invariant) != names.end()) continue;
    mistakes.Add(config.PlaceOf("invariants." + invariant),
                 std::string(model::UnknownName("invariant", invariant, names).message()));
  }
  TakeVariableModes(names, config, mistakes);
}

// The key that Select found fault with.
const char* WrongKey(const model::ServiceFamily* family, const Config& config) {
  if (family == nullptr) return "service.name";
  const std::vector<model::Named> scenarios = family->scenarios();
  const bool scenario_known =
      std::any_of(scenarios.begin(), scenarios.end(),
                  [&config](const model::Named& one) { return one.name == config.scenario; });
  return scenario_known && !config.bug.empty() ? "service.bug" : "service.scenario";
}

absl::Status Complaint(const Config& config, const char* key, const std::string& what) {
  Mistakes mistakes;
  mistakes.Add(config.PlaceOf(key), what);
  return mistakes.status();
}

}  // namespace

absl::StatusOr<ResolvedConfig> ResolveConfig(Config config, const model::Catalog& catalog) {
  const model::ServiceFamily* family = model::FindFamily(catalog, config.service);
  if (family != nullptr && config.scenario.empty()) config.scenario = family->live_scenario();
  if (family != nullptr && config.scenario.empty()) {
    return Complaint(
        config, "service.name",
        config.service + " says of no scenario that it runs live: set service.scenario");
  }
  auto selection = Select(catalog, config.service, config.scenario, config.bug);
  if (!selection.ok()) {
    return Complaint(config, WrongKey(family, config), std::string(selection.status().message()));
  }
  ResolvedConfig resolved;
  resolved.system = std::move(selection->system);
  const uint32_t count = resolved.system.service->node_count();
  Mistakes mistakes;
  if (config.nodes.size() != count) {
    mistakes.Add(config.PlaceOf("nodes"),
                 absl::StrCat(config.service, " has ", count, " nodes, the configuration names ",
                              config.nodes.size()));
  }
  CheckModes(*resolved.system.service, config, mistakes);
  if (mistakes.count() > 0) return mistakes.status();
  resolved.origin = {.service = config.service,
                     .scenario = config.scenario,
                     .bug = config.bug,
                     .version = family->version(),
                     .foretell = kVersion};
  resolved.has_judge = family->has_judge();
  resolved.config = std::move(config);
  return resolved;
}

std::string Describe(const ResolvedConfig& resolved) {
  const Config& config = resolved.config;
  std::string text = absl::StrCat(
      config.service, ", scenario ", config.scenario,
      config.bug.empty() ? "" : ", planted bug " + config.bug, ", ", config.nodes.size(),
      " nodes\nevery ", FormatSeconds(std::chrono::duration<double>(config.period).count()),
      ", up to ", FormatSeconds(std::chrono::duration<double>(config.budget).count()),
      " of search (", absl::StrJoin(config.engines, ", "), "), ", FormatBytes(config.memory_max),
      ", ", config.cpu_max, " of a core\n");
  for (const std::string& name : WatchedNames(*resolved.system.service)) {
    absl::StrAppend(&text, "  ", name, ": ", snapshot::ModeName(config.ModeOf(name)), "\n");
  }
  return text;
}

}  // namespace foretell::agent
