#include "integration/pam/family.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "integration/pam/protocol.h"
#include "integration/script.h"
#include "model/typed_service.h"
#include "source_versions.h"

namespace foretell::integration::pam {
namespace {

struct Scenario {
  const char* name;
  const char* text;
  Protocol protocol;
  std::vector<ScriptStep> script;
};

// Node 0 has its value accepted by itself alone; then nodes 1 and 2 accept that of node 1, which
// only node 1 knows to be decided.
std::vector<ScriptStep> TwoValuesAccepted() {
  return {Act(0),        Deliver(0, 1), Deliver(1, 0), LoseAll(),     Act(1),
          Deliver(1, 2), Deliver(2, 1), Deliver(1, 2), Deliver(2, 1), LoseAll()};
}

std::vector<Scenario> Scenarios() {
  return {
      {"pam-2", "two nodes, two ballots", {.nodes = 2, .ballots_max = 2}, {}},
      {"pam-3", "three nodes, two ballots", {.nodes = 3, .ballots_max = 2}, {}},
      {"one-ballot-3", "three nodes, one ballot, of node 0", {.nodes = 3, .ballots_max = 1}, {}},
      {"three-ballots-2", "two nodes, three ballots", {.nodes = 2, .ballots_max = 3}, {}},
      {"four-ballots-2", "two nodes, four ballots", {.nodes = 2, .ballots_max = 4}, {}},
      {"recovery-3",
       "as pam-3, and node 1 may crash",
       {.nodes = 3, .ballots_max = 2, .crashes_max = 1},
       {}},
      {"stepping-stone-3",
       "nodes 0 and 1 have accepted different values, node 2 may start its ballot",
       {.nodes = 3, .ballots_max = 3},
       TwoValuesAccepted()},
  };
}

struct PlantedBug {
  Bug bug;
  model::Named named;
};

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kForgetsOnRecovery,
       {"forgets-on-recovery", "an acceptor restarts without its promise and its vote"}},
      {Bug::kFirstValue,
       {"first-value",
        "the first vote that a promise brings wins, not that of the highest ballot"}},
  };
}

absl::StatusOr<model::System> MakeSystem(const Scenario& scenario, Bug bug) {
  Protocol protocol = scenario.protocol;
  protocol.bug = bug;
  model::System system;
  system.service = model::MakeService(protocol);
  absl::StatusOr<model::SystemCut> start = Play(*system.service, scenario.script);
  if (!start.ok()) return start.status();
  system.start = *std::move(start);
  return system;
}

}  // namespace

std::string Family::text() const {
  return "PAM: single-decree Paxos, one ballot per proposer (DEMETER section 5)";
}

std::vector<model::Named> Family::scenarios() const {
  std::vector<model::Named> named;
  for (const Scenario& scenario : Scenarios()) named.push_back({scenario.name, scenario.text});
  return named;
}

std::vector<model::Named> Family::bugs() const {
  std::vector<model::Named> named;
  for (PlantedBug& planted : PlantedBugs()) named.push_back(std::move(planted.named));
  return named;
}

std::string Family::version() const { return FORETELL_PAM_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  Bug planted = Bug::kNone;
  for (const PlantedBug& known : PlantedBugs()) {
    if (known.named.name == bug) planted = known.bug;
  }
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (planted == Bug::kForgetsOnRecovery && known.protocol.crashes_max == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("bug ", bug, " needs a crash, which scenario ", scenario, " does not have"));
    }
    return MakeSystem(known, planted);
  }
  return absl::InvalidArgumentError(absl::StrCat("pam has no scenario ", scenario));
}

}  // namespace foretell::integration::pam
