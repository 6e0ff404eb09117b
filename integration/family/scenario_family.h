#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/family/script.h"
#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration {

// A family that is two tables: where to start, and what to plant. `Protocol` has a member `bug`.
template <class Protocol>
class ScenarioFamily : public model::ServiceFamily {
 public:
  using Bug = decltype(Protocol::bug);
  struct Scenario {
    model::Named named;
    Protocol protocol;
    std::vector<ScriptStep> script;  // Steps taken before.
  };
  struct PlantedBug {
    Bug bug;
    model::Named named;
  };

  ScenarioFamily(std::vector<Scenario> scenarios, std::vector<PlantedBug> bugs)
      : scenarios_(std::move(scenarios)), bugs_(std::move(bugs)) {}

  std::vector<model::Named> scenarios() const override { return Names(scenarios_); }
  std::vector<model::Named> bugs() const override { return Names(bugs_); }

  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override {
    Bug planted = Bug::kNone;
    for (const PlantedBug& known : bugs_) {
      if (known.named.name == bug) planted = known.bug;
    }
    for (const Scenario& known : scenarios_) {
      if (known.named.name != scenario) continue;
      if (const std::string lacks = Lacks(known, planted); !lacks.empty()) {
        return absl::InvalidArgumentError(absl::StrCat("bug ", bug, " needs ", lacks));
      }
      return MakeSystem(known, planted);
    }
    return absl::InvalidArgumentError(absl::StrCat(name(), " has no scenario ", scenario));
  }

 protected:
  // Things that the bug needs to show and the scenario lacks, for people; empty if there are none.
  virtual std::string Lacks(const Scenario& scenario, Bug bug) const = 0;

 private:
  template <class Entry>
  static std::vector<model::Named> Names(const std::vector<Entry>& entries) {
    std::vector<model::Named> names;
    for (const Entry& entry : entries) names.push_back(entry.named);
    return names;
  }

  static absl::StatusOr<model::System> MakeSystem(const Scenario& scenario, Bug bug) {
    Protocol protocol = scenario.protocol;
    protocol.bug = bug;
    model::System system;
    system.service = model::MakeService(std::move(protocol));
    absl::StatusOr<model::SystemCut> start = Play(*system.service, scenario.script);
    if (!start.ok()) return start.status();
    system.start = *std::move(start);
    return system;
  }

  const std::vector<Scenario> scenarios_;
  const std::vector<PlantedBug> bugs_;
};

}  // namespace foretell::integration
