#include "foretell/integration/pastry/family.h"

#include "absl/strings/str_cat.h"

namespace foretell::integration::pastry {
namespace {

using Scenario = Family::Scenario;
using PlantedBug = Family::PlantedBug;

std::vector<Scenario> Scenarios() {
  return {
      {{"pastry-2", "node 1 joins node 0, which probes it once (DEMETER section 5.1)"},
       {.nodes = 2, .timeouts = {true, true}, .repairs_max = {1, 1}, .probes_max = {1}}},
      {{"pastry-3",
        "nodes 1 and 2 join through node 0 at any time; node 1 may time out (DEMETER section 5.1)"},
       {.nodes = 3, .timeouts = {false, true, false}, .repairs_max = {1, 1, 1}}},
      {{"pastry-3-wide", "nodes 1 and 2 join through node 0 at any time, and both may time out"},
       {.nodes = 3, .timeouts = {false, true, true}}},
  };
}

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kBareAck,
       {"bare-ack", "a node that acknowledges a newcomer does not say whom else it knows"}},
      {Bug::kHasty,
       {"hasty", "a node that waits too long for acknowledgements takes itself for joined"}},
  };
}

}  // namespace

Family::Family() : ScenarioFamily(Scenarios(), PlantedBugs()) {}

std::string Family::text() const {
  return "Pastry: nodes join by prefix routing and announce themselves, with at most one timeout "
         "each";
}

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

std::string Family::Lacks(const Scenario& scenario, Bug bug) const {
  if (bug != Bug::kBareAck || scenario.protocol.nodes >= 3) return "";
  return absl::StrCat("two nodes that join, scenario ", scenario.named.name, " has one");
}

}  // namespace foretell::integration::pastry
