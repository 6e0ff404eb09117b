#include "foretell/integration/chord/family.h"

#include "absl/strings/str_cat.h"

namespace foretell::integration::chord {
namespace {

using Scenario = Family::Scenario;
using PlantedBug = Family::PlantedBug;

std::vector<Scenario> Scenarios() {
  return {
      {{"chord-2", "node 1 joins node 0, which stabilises once more (DEMETER section 5.1)"},
       {.nodes = 2, .rounds_max = {1, 0, 0}}},
      {{"chord-3", "nodes 1 and 2 join through node 0 at any time (DEMETER section 5.1)"},
       {.nodes = 3}},
      {{"chord-3-wide", "as chord-3, and node 2 stabilises once more"},
       {.nodes = 3, .rounds_max = {0, 0, 1}}},
  };
}

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kAnyPredecessor,
       {"any-predecessor", "whoever notifies becomes the predecessor, however far away it is"}},
      {Bug::kOwnRing,
       {"own-ring", "a node that waits too long for its successor founds a ring of its own"}},
  };
}

}  // namespace

Family::Family() : ScenarioFamily(Scenarios(), PlantedBugs()) {}

std::string Family::text() const {
  return "Chord: nodes join a ring, stabilise and notify, with at most one timeout each";
}

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

std::string Family::Lacks(const Scenario& scenario, Bug bug) const {
  if (bug != Bug::kAnyPredecessor || scenario.protocol.nodes >= 3) return "";
  return absl::StrCat("two nodes that join, scenario ", scenario.named.name, " has one");
}

}  // namespace foretell::integration::chord
