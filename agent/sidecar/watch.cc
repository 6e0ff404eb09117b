#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/nearest_name.h"
#include "agent/quantities.h"
#include "agent/sidecar/setup.h"
#include "agent/version.h"

namespace foretell::agent {
namespace {

using snapshot::Mode;

std::vector<std::string> SafetyNames(const model::Service& service) {
  std::vector<std::string> names = {model::kLocalAssertions};
  for (const model::InvariantInfo& invariant : service.invariants()) {
    if (!invariant.eventually) names.push_back(invariant.name);
  }
  return names;
}

absl::Status CheckModes(const Config& config, const model::Service& service) {
  const std::vector<std::string> names = SafetyNames(service);
  for (const auto& [invariant, mode] : config.modes) {
    if (std::find(names.begin(), names.end(), invariant) != names.end()) continue;
    return UnknownName("invariant", invariant, names);
  }
  return absl::OkStatus();
}

const model::ServiceFamily* FindFamily(const model::Catalog& catalog, const std::string& name) {
  for (const auto& family : catalog) {
    if (family->name() == name) return family.get();
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<Watch> MakeWatch(Config config, const model::Catalog& catalog) {
  const model::ServiceFamily* family = FindFamily(catalog, config.service);
  if (family != nullptr && config.scenario.empty()) config.scenario = family->live_scenario();
  if (family != nullptr && config.scenario.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        config.service, " says of no scenario that it runs live: set service.scenario"));
  }
  auto selection = Select(catalog, config.service, config.scenario, config.bug);
  if (!selection.ok()) return selection.status();
  Watch watch;
  watch.system = std::move(selection->system);
  const uint32_t count = watch.system.service->node_count();
  if (config.nodes.size() != count) {
    return absl::InvalidArgumentError(absl::StrCat(
        config.service, " has ", count, " nodes, the configuration names ", config.nodes.size()));
  }
  if (absl::Status modes = CheckModes(config, *watch.system.service); !modes.ok()) return modes;
  watch.origin = {.service = config.service,
                  .scenario = config.scenario,
                  .bug = config.bug,
                  .version = family->version(),
                  .foretell = kVersion};
  watch.has_judge = family->has_judge();
  watch.config = std::move(config);
  return watch;
}

std::string Describe(const Watch& watch) {
  const Config& config = watch.config;
  std::string text = absl::StrCat(
      config.service, ", scenario ", config.scenario,
      config.bug.empty() ? "" : ", planted bug " + config.bug, ", ", config.nodes.size(),
      " nodes\nevery ", FormatSeconds(std::chrono::duration<double>(config.period).count()),
      ", up to ", FormatSeconds(std::chrono::duration<double>(config.budget).count()),
      " of search (", absl::StrJoin(config.engines, ", "), "), ", FormatBytes(config.memory_max),
      ", ", config.cpu_max, " of a core\n");
  for (const std::string& name : SafetyNames(*watch.system.service)) {
    absl::StrAppend(&text, "  ", name, ": ", snapshot::ModeName(config.ModeOf(name)), "\n");
  }
  return text;
}

}  // namespace foretell::agent
