#include "foretell/model/scenario.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/nearest_name.h"

namespace foretell::model {
namespace {

constexpr const char* kDuplicates = "duplicates";
constexpr int64_t kFaultsMax = UINT8_MAX;
constexpr int64_t kDuplicatesMax = 100;

// Another service with more or fewer faults.
class FaultsSet final : public ForwardingService {
 public:
  FaultsSet(std::unique_ptr<Service> service, std::vector<FaultBudget> budgets, Network network)
      : ForwardingService(*service),
        service_(std::move(service)),
        budgets_(std::move(budgets)),
        network_(network) {}
  FaultBudget faults(NodeId node) const override { return budgets_[node.index()]; }
  Network network() const override { return network_; }

 private:
  std::unique_ptr<Service> service_;
  std::vector<FaultBudget> budgets_;
  Network network_;
};

absl::Status InRange(const std::string& name, int64_t value, int64_t min, int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, "=", value, ": must be from ", min, " to ", max));
}

// A setting of faults: which kind, and at which node or, with nothing, everywhere.
struct FaultSetting {
  const FaultKindInfo* fault = nullptr;
  std::string node;
};

// Null fault: it is not about faults.
FaultSetting ReadFault(const std::string& name) {
  for (const FaultKindInfo& fault : kFaults) {
    const std::string kind = fault.used;
    if (name == kind) return {&fault, ""};
    if (name.size() > kind.size() + 2 && name.rfind(kind + "[", 0) == 0 && name.back() == ']') {
      return {&fault, name.substr(kind.size() + 1, name.size() - kind.size() - 2)};
    }
  }
  return {};
}

absl::Status SetFaults(const std::string& name, int64_t value, const FaultSetting& setting,
                       std::vector<FaultBudget>& budgets) {
  if (auto in = InRange(name, value, 0, kFaultsMax); !in.ok()) return in;
  uint32_t node = 0;
  if (!setting.node.empty() && (!absl::SimpleAtoi(setting.node, &node) || node >= budgets.size())) {
    return absl::InvalidArgumentError(absl::StrCat(name, "=", value, ": there is no node ",
                                                   setting.node, ", nodes are 0 to ",
                                                   budgets.size() - 1));
  }
  for (size_t n = 0; n < budgets.size(); ++n) {
    if (setting.node.empty() || n == node) {
      budgets[n].*setting.fault->max = static_cast<uint8_t>(value);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckParameter(const ServiceFamily& family, const std::string& name, int64_t value) {
  std::vector<std::string> names;
  for (const Parameter& parameter : family.parameters()) {
    if (parameter.named.name == name) return InRange(name, value, parameter.min, parameter.max);
    names.push_back(parameter.named.name);
  }
  for (const FaultKindInfo& fault : kFaults) names.push_back(fault.used);
  names.push_back(kDuplicates);
  return UnknownName("parameter", name, names);
}

std::vector<std::string> NamesOf(const std::vector<Named>& rows) {
  std::vector<std::string> names;
  for (const Named& row : rows) names.push_back(row.name);
  return names;
}

absl::Status CheckNames(const char* what, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (name.empty()) return absl::InvalidArgumentError(absl::StrCat("a ", what, " has no name"));
    // What stands between settings, where a scenario is told with them.
    if (name.find_first_of(",=[ ") != std::string::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("a ", what, " cannot be called '", name, "': no comma, =, [ or space"));
    }
    if (!known.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat("two ", what, "s are called ", name));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRange(const Parameter& parameter) {
  const std::string& name = parameter.named.name;
  for (const FaultKindInfo& fault : kFaults) {
    if (name != fault.used && name != kDuplicates) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("a parameter cannot be called ", name, ", which sets what may go wrong"));
  }
  if (parameter.value >= parameter.min && parameter.value <= parameter.max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("parameter ", name, " is ", parameter.value,
                                                 " by default, which is not from ", parameter.min,
                                                 " to ", parameter.max));
}

absl::Status CheckLive(const ServiceFamily& family) {
  const std::vector<std::string> scenarios = NamesOf(family.scenarios());
  const auto live = ParseScenario(family.live_scenario());
  if (!live.ok()) return live.status();
  const bool known = std::find(scenarios.begin(), scenarios.end(), live->name) != scenarios.end();
  if (live->name.empty() || known) return absl::OkStatus();
  return UnknownName("live scenario", live->name, scenarios);
}

// In one line, what a family says of itself and cannot mean: a row that would never be found, a
// default that nobody may set, a live scenario that is not there.
absl::Status ValidateFamily(const ServiceFamily& family) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : family.parameters()) {
    if (auto fine = CheckRange(parameter); !fine.ok()) return fine;
    parameters.push_back(parameter.named.name);
  }
  absl::Status status = CheckNames("scenario", NamesOf(family.scenarios()));
  if (status.ok()) status = CheckNames("bug", NamesOf(family.bugs()));
  if (status.ok()) status = CheckNames("parameter", parameters);
  return status.ok() ? CheckLive(family) : status;
}

// Streams deliver once; who asks for duplicates there would wait for them in vain.
absl::Status SetDuplicates(int64_t value, Network& network) {
  if (auto in = InRange(kDuplicates, value, 0, kDuplicatesMax); !in.ok()) return in;
  if (network.kind == NetworkKind::kStreams && value > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        kDuplicates, "=", value, ": messages go over streams, which do not duplicate"));
  }
  network.duplicates_max = static_cast<uint32_t>(value);
  return absl::OkStatus();
}

absl::StatusOr<System> WithFaults(System system, const std::map<std::string, int64_t>& settings) {
  if (settings.empty()) return system;
  std::vector<FaultBudget> budgets;
  for (uint32_t n = 0; n < system.service->node_count(); ++n) {
    budgets.push_back(system.service->faults(NodeId(n)));
  }
  Network network = system.service->network();
  for (const auto& [name, value] : settings) {
    const absl::Status set = name == kDuplicates ? SetDuplicates(value, network)
                                                 : SetFaults(name, value, ReadFault(name), budgets);
    if (!set.ok()) return set;
  }
  system.service =
      std::make_unique<FaultsSet>(std::move(system.service), std::move(budgets), network);
  return system;
}

}  // namespace

absl::StatusOr<ScenarioSpec> ParseScenario(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  ScenarioSpec spec{parts.front(), {}};
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string> sides = absl::StrSplit(parts[i], absl::MaxSplits('=', 1));
    int64_t value = 0;
    if (sides.size() != 2 || sides[0].empty() || !absl::SimpleAtoi(sides[1], &value)) {
      return absl::InvalidArgumentError(absl::StrCat("'", parts[i], "': a setting is NAME=NUMBER"));
    }
    if (!spec.settings.emplace(sides[0], value).second) {
      return absl::InvalidArgumentError(absl::StrCat(sides[0], " is set twice"));
    }
  }
  return spec;
}

std::string ScenarioText(const ScenarioSpec& spec) {
  std::string text = spec.name;
  for (const auto& [name, value] : spec.settings) absl::StrAppend(&text, ",", name, "=", value);
  return text;
}

absl::StatusOr<System> MakeSystem(const ServiceFamily& family, const std::string& scenario,
                                  const std::string& bug) {
  const auto spec = ParseScenario(scenario);
  if (!spec.ok()) return spec.status();
  if (auto valid = ValidateFamily(family); !valid.ok()) return valid;
  ScenarioSpec own{spec->name, {}};
  std::map<std::string, int64_t> faults;
  for (const auto& [name, value] : spec->settings) {
    if (name == kDuplicates || ReadFault(name).fault != nullptr) {
      faults.emplace(name, value);
      continue;
    }
    if (auto known = CheckParameter(family, name, value); !known.ok()) return known;
    own.settings.emplace(name, value);
  }
  absl::StatusOr<System> system = family.Make(ScenarioText(own), bug);
  if (!system.ok()) return system;
  return WithFaults(*std::move(system), faults);
}

}  // namespace foretell::model
