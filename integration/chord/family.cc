#include "integration/chord/family.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "integration/chord/protocol.h"
#include "model/typed_service.h"
#include "source_versions.h"

namespace foretell::integration::chord {
namespace {

struct Scenario {
  const char* name;
  const char* text;
  Protocol protocol;
};

std::vector<Scenario> Scenarios() {
  return {
      {"chord-2",
       "node 1 joins node 0, which stabilises once more (DEMETER section 5.1)",
       {.nodes = 2, .rounds_max = {1, 0, 0}}},
      {"chord-3",
       "nodes 1 and 2 join through node 0 at any time (DEMETER section 5.1)",
       {.nodes = 3}},
      {"chord-3-wide",
       "as chord-3, and node 2 stabilises once more",
       {.nodes = 3, .rounds_max = {0, 0, 1}}},
  };
}

struct PlantedBug {
  Bug bug;
  model::Named named;
};

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kAnyPredecessor,
       {"any-predecessor", "whoever notifies becomes the predecessor, however far away it is"}},
      {Bug::kOwnRing,
       {"own-ring", "a node that waits too long for its successor founds a ring of its own"}},
  };
}

}  // namespace

std::string Family::text() const {
  return "Chord: nodes join a ring, stabilise and notify, with at most one timeout each";
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

std::string Family::version() const { return FORETELL_CHORD_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  Bug planted = Bug::kNone;
  for (const PlantedBug& known : PlantedBugs()) {
    if (known.named.name == bug) planted = known.bug;
  }
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (planted == Bug::kAnyPredecessor && known.protocol.nodes < 3) {
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
  return absl::InvalidArgumentError(absl::StrCat("chord has no scenario ", scenario));
}

}  // namespace foretell::integration::chord
