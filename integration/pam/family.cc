#include "foretell/integration/pam/family.h"

#include "absl/strings/str_cat.h"

namespace foretell::integration::pam {
namespace {

using Scenario = Family::Scenario;
using PlantedBug = Family::PlantedBug;

// Node 0 has its value accepted by itself alone; then nodes 1 and 2 accept that of node 1, which
// only node 1 knows to be decided.
std::vector<ScriptStep> TwoValuesAccepted() {
  return {Act(0),        Deliver(0, 1), Deliver(1, 0), LoseAll(),     Act(1),
          Deliver(1, 2), Deliver(2, 1), Deliver(1, 2), Deliver(2, 1), LoseAll()};
}

std::vector<Scenario> Scenarios() {
  return {
      {{"pam-2", "two nodes, two ballots"}, {.nodes = 2, .ballots_max = 2}},
      {{"pam-3", "three nodes, two ballots"}, {.nodes = 3, .ballots_max = 2}},
      {{"loopback-2", "as pam-2, and nodes send to themselves, too: unoptimised, as the original"},
       {.nodes = 2, .ballots_max = 2, .loopback = true}},
      {{"loopback-3", "as pam-3, and nodes send to themselves, too"},
       {.nodes = 3, .ballots_max = 2, .loopback = true}},
      {{"one-ballot-3", "three nodes, one ballot, of node 0"}, {.nodes = 3, .ballots_max = 1}},
      {{"three-ballots-2", "two nodes, three ballots"}, {.nodes = 2, .ballots_max = 3}},
      {{"four-ballots-2", "two nodes, four ballots"}, {.nodes = 2, .ballots_max = 4}},
      {{"recovery-3", "as pam-3, and node 1 may crash"},
       {.nodes = 3, .ballots_max = 2, .crashes_max = 1}},
      {{"stepping-stone-3",
        "nodes 0 and 1 have accepted different values, node 2 may start its ballot"},
       {.nodes = 3, .ballots_max = 3},
       TwoValuesAccepted()},
  };
}

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kForgetsOnRecovery,
       {"forgets-on-recovery", "an acceptor restarts without its promise and its vote"}},
      {Bug::kFirstValue,
       {"first-value",
        "the first vote that a promise brings wins, not that of the highest ballot"}},
  };
}

}  // namespace

Family::Family() : ScenarioFamily(Scenarios(), PlantedBugs()) {}

std::string Family::text() const {
  return "PAM: single-decree Paxos, one ballot per proposer (DEMETER section 5)";
}

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

std::string Family::Lacks(const Scenario& scenario, Bug bug) const {
  if (bug != Bug::kForgetsOnRecovery || scenario.protocol.crashes_max > 0) return "";
  return absl::StrCat("a crash, which scenario ", scenario.named.name, " does not have");
}

}  // namespace foretell::integration::pam
