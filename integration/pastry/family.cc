#include "integration/pastry/family.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "integration/pastry/protocol.h"
#include "model/typed_service.h"
#include "source_versions.h"

namespace foretell::integration::pastry {
namespace {

struct Scenario {
  const char* name;
  const char* text;
  Protocol protocol;
};

std::vector<Scenario> Scenarios() {
  return {
      {"pastry-2",
       "node 1 joins node 0, which probes it once (DEMETER section 5.1)",
       {.nodes = 2, .timeouts = {true, true}, .repairs_max = {1, 1}, .probes_max = {1}}},
      {"pastry-3",
       "nodes 1 and 2 join through node 0 at any time; node 1 may time out (DEMETER section 5.1)",
       {.nodes = 3, .timeouts = {false, true, false}, .repairs_max = {1, 1, 1}}},
      {"pastry-3-wide",
       "nodes 1 and 2 join through node 0 at any time, and both may time out",
       {.nodes = 3, .timeouts = {false, true, true}}},
  };
}

struct PlantedBug {
  Bug bug;
  model::Named named;
};

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kBareAck,
       {"bare-ack", "a node that acknowledges a newcomer does not say whom else it knows"}},
      {Bug::kHasty,
       {"hasty", "a node that waits too long for acknowledgements takes itself for joined"}},
  };
}

}  // namespace

std::string Family::text() const {
  return "Pastry: nodes join by prefix routing and announce themselves, with at most one timeout "
         "each";
}

std::vector<model::Named> Family::scenarios() const {
  std::vector<model::Named> named;
  for (const Scenario& scenario : Scenarios()) named.push_back({scenario.name, scenario.text});
  return named;
}

std::vector<model::Named> Family::bugs() const {
  std::vector<model::Named> named;
  for (const PlantedBug& planted : PlantedBugs()) named.push_back(planted.named);
  return named;
}

std::string Family::version() const { return FORETELL_PASTRY_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  Bug planted = Bug::kNone;
  for (const PlantedBug& known : PlantedBugs()) {
    if (known.named.name == bug) planted = known.bug;
  }
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (planted == Bug::kBareAck && known.protocol.nodes < 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("bug ", bug, " needs two nodes that join, scenario ", scenario, " has one"));
    }
    Protocol protocol = known.protocol;
    protocol.bug = planted;
    model::System system;
    system.service = model::MakeService(protocol);
    system.start = model::InitialCut(*system.service);
    return system;
  }
  return absl::InvalidArgumentError(absl::StrCat("pastry has no scenario ", scenario));
}

}  // namespace foretell::integration::pastry
