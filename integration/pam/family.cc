#include "foretell/integration/pam/family.h"

namespace foretell::integration::pam {
namespace {

using model::Act;
using model::Deliver;
using model::LoseAll;

// Node 0 has its value accepted by itself alone; then nodes 1 and 2 accept that of node 1, which
// only node 1 knows to be decided.
std::vector<model::ScriptStep> TwoValuesAccepted() {
  return {Act(0),        Deliver(0, 1), Deliver(1, 0), LoseAll(),     Act(1),
          Deliver(1, 2), Deliver(2, 1), Deliver(1, 2), Deliver(2, 1), LoseAll()};
}

model::ScenarioRow<Protocol> Scenario(std::string name, std::string text, Protocol protocol) {
  return {std::move(name), std::move(text), [protocol](Protocol& p) { p = protocol; }};
}

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  std::vector<model::ScenarioRow<Protocol>> scenarios = {
      Scenario("pam-2", "two nodes, two ballots", {.nodes = 2, .ballots_max = 2}),
      Scenario("pam-3", "three nodes, two ballots", {.nodes = 3, .ballots_max = 2}),
      Scenario("loopback-2",
               "as pam-2, and nodes send to themselves, too: unoptimised, as the original",
               {.nodes = 2, .ballots_max = 2, .loopback = true}),
      Scenario("loopback-3", "as pam-3, and nodes send to themselves, too",
               {.nodes = 3, .ballots_max = 2, .loopback = true}),
      Scenario("one-ballot-3", "three nodes, one ballot, of node 0",
               {.nodes = 3, .ballots_max = 1}),
      Scenario("three-ballots-2", "two nodes, three ballots", {.nodes = 2, .ballots_max = 3}),
      Scenario("four-ballots-2", "two nodes, four ballots", {.nodes = 2, .ballots_max = 4}),
      Scenario("recovery-3", "as pam-3, and node 1 may crash",
               {.nodes = 3, .ballots_max = 2, .crashes_max = 1}),
      Scenario("stepping-stone-3",
               "nodes 0 and 1 have accepted different values, node 2 may start its ballot",
               {.nodes = 3, .ballots_max = 3})};
  scenarios.back().script = TwoValuesAccepted();
  return scenarios;
}

model::FamilyRows<Protocol> Rows() {
  return {
      .name = "pam",
      .text = "PAM: single-decree Paxos, one ballot per proposer (DEMETER section 5)",
      .scenarios = Scenarios(),
      .bugs = {{"forgets-on-recovery", "an acceptor restarts without its promise and its vote",
                [](Protocol& p) { p.bug = Bug::kForgetsOnRecovery; },
                [](const Protocol& p, const std::string&) {
                  return p.crashes_max > 0 ? "" : "a crash";
                }},
               {"first-value",
                "the first vote that a promise brings wins, not that of the highest ballot",
                [](Protocol& p) { p.bug = Bug::kFirstValue; }}},
      .version = FORETELL_SOURCE_VERSION,
  };
}

}  // namespace

Family::Family() : model::Family<Protocol>(Rows()) {}

}  // namespace foretell::integration::pam
