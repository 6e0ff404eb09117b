#include "integration/chord/family.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "integration/chord/protocol.h"
#include "model/typed_service.h"
#include "source_versions.h"

namespace foretell::integration::chord {
namespace {

constexpr const char* kTwo = "chord-2";
constexpr const char* kThree = "chord-3";
constexpr const char* kAnyPredecessor = "any-predecessor";
constexpr const char* kOwnRing = "own-ring";

Bug BugOf(const std::string& name) {
  if (name == kAnyPredecessor) return Bug::kAnyPredecessor;
  if (name == kOwnRing) return Bug::kOwnRing;
  return Bug::kNone;
}

}  // namespace

std::string Family::text() const {
  return "Chord: nodes join a ring, stabilise and notify, with one timeout each";
}

std::vector<model::Named> Family::scenarios() const {
  return {{kTwo, "node 1 joins node 0 (DEMETER section 5.1)"},
          {kThree, "nodes 1 and 2 join through node 0 at the same time (DEMETER section 5.1)"}};
}

std::vector<model::Named> Family::bugs() const {
  return {{kAnyPredecessor, "whoever notifies becomes the predecessor, however far away"},
          {kOwnRing, "a node that waits too long for its successor founds a ring of its own"}};
}

std::string Family::version() const { return FORETELL_CHORD_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  Protocol protocol{.bug = BugOf(bug), .nodes = scenario == kTwo ? 2u : 3u};
  if (protocol.bug == Bug::kAnyPredecessor && protocol.nodes == 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("bug ", bug, " needs two nodes that join, scenario ", scenario, " has one"));
  }
  protocol.rounds_max = {1, 1, 1};
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

}  // namespace foretell::integration::chord
