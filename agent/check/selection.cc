#include "foretell/agent/check/selection.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/guard/watched_service.h"
#include "foretell/model/check.h"
#include "foretell/model/nearest_name.h"
#include "foretell/model/scenario.h"

namespace foretell::agent {
namespace {

std::vector<std::string> NamesOf(const std::vector<model::Named>& named) {
  std::vector<std::string> names;
  for (const model::Named& one : named) names.push_back(one.name);
  return names;
}

std::vector<std::string> NamesOf(const model::Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& family : catalog) names.push_back(family->name());
  return names;
}

absl::Status CheckName(const std::string& kind, const std::string& name,
                       const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return absl::OkStatus();
  return model::UnknownName(kind, name, names);
}

}  // namespace

absl::StatusOr<const model::ServiceFamily*> SelectFamily(const model::Catalog& catalog,
                                                         const std::string& service) {
  const model::ServiceFamily* const family = model::FindFamily(catalog, service);
  if (family == nullptr) return model::UnknownName("service", service, NamesOf(catalog));
  return family;
}

absl::StatusOr<Selection> Select(const model::Catalog& catalog, const std::string& service,
                                 const std::string& scenario, const std::string& bug) {
  const auto found = SelectFamily(catalog, service);
  if (!found.ok()) return found.status();
  const model::ServiceFamily* const family = *found;
  const std::vector<std::string> scenarios = NamesOf(family->scenarios());
  FORETELL_CHECK(!scenarios.empty());
  auto spec = model::ParseScenario(scenario);
  if (!spec.ok()) return spec.status();
  if (spec->name.empty()) spec->name = scenarios.front();
  Selection selection{service, model::ScenarioText(*spec), bug, {}, family};
  absl::Status known = CheckName("scenario", spec->name, scenarios);
  if (known.ok() && !bug.empty()) known = CheckName("bug", bug, NamesOf(family->bugs()));
  if (!known.ok()) return known;
  absl::StatusOr<model::System> system =
      MakeWatched(service, [&] { return model::MakeSystem(*family, selection.scenario, bug); });
  if (!system.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(service, ": ", std::string(system.status().message())));
  }
  selection.system = *std::move(system);
  return selection;
}

absl::StatusOr<const predictors::Engine*> SelectEngine(
    const std::vector<predictors::Engine>& engines, const std::string& name) {
  FORETELL_CHECK(!engines.empty());
  if (name.empty()) return &engines.front();
  std::vector<std::string> names;
  for (const predictors::Engine& engine : engines) {
    if (engine.name == name) return &engine;
    names.push_back(engine.name);
  }
  return model::UnknownName("engine", name, names);
}

}  // namespace foretell::agent
