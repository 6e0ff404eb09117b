#include "integration/pastry/family.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "integration/pastry/protocol.h"
#include "model/typed_service.h"
#include "source_versions.h"

namespace foretell::integration::pastry {
namespace {

constexpr const char* kTwo = "pastry-2";
constexpr const char* kThree = "pastry-3";
constexpr const char* kBareAck = "bare-ack";
constexpr const char* kHasty = "hasty";

Bug BugOf(const std::string& name) {
  if (name == kBareAck) return Bug::kBareAck;
  if (name == kHasty) return Bug::kHasty;
  return Bug::kNone;
}

}  // namespace

std::string Family::text() const {
  return "Pastry: nodes join by prefix routing and announce themselves, with one timeout each";
}

std::vector<model::Named> Family::scenarios() const {
  return {{kTwo, "node 1 joins node 0 (DEMETER section 5.1)"},
          {kThree, "nodes 1 and 2 join through node 0 at the same time (DEMETER section 5.1)"}};
}

std::vector<model::Named> Family::bugs() const {
  return {{kBareAck, "a node that acknowledges a newcomer does not say whom else it knows"},
          {kHasty, "a node that waits too long for acknowledgements takes itself for joined"}};
}

std::string Family::version() const { return FORETELL_CHORD_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  const Protocol protocol{.bug = BugOf(bug), .nodes = scenario == kTwo ? 2u : 3u};
  if (protocol.bug == Bug::kBareAck && protocol.nodes == 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("bug ", bug, " needs two nodes that join, scenario ", scenario, " has one"));
  }
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

}  // namespace foretell::integration::pastry
