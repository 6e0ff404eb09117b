#include "foretell/integration/onepaxos/family.h"

#include <utility>

namespace foretell::integration::onepaxos {
namespace {

using model::Act;
using model::Deliver;
using model::LoseAll;
using model::ScriptStep;
using Scenario = model::ScenarioRow<Protocol>;

constexpr const char* kAcceptorChanged = "acceptor-changed";
constexpr const char* kLive = "live";

// Node 2 becomes leader, as nodes 1 and 2 learn, and has its value chosen there. Nothing of this
// reaches node 0.
std::vector<ScriptStep> LeaderChanged() {
  return {Act(2),        Deliver(2, 1), Deliver(2, 2), Deliver(1, 2), Deliver(2, 2), Deliver(2, 1),
          Deliver(2, 2), Deliver(1, 2), Deliver(2, 2), Deliver(1, 1), Deliver(2, 1), LoseAll(),
          Act(2),        Deliver(2, 1), Deliver(1, 1), Deliver(1, 2), LoseAll()};
}

// The value of node 0 is chosen, as only node 0 learns; then node 0 replaces the acceptor, as nodes
// 0 and 1 learn.
std::vector<ScriptStep> AcceptorChanged() {
  return {Act(0),        Deliver(0, 1), Deliver(1, 0), LoseAll(),     Act(0),        Deliver(0, 0),
          Deliver(0, 1), Deliver(0, 0), Deliver(1, 0), Deliver(0, 0), Deliver(0, 1), Deliver(0, 0),
          Deliver(1, 0), Deliver(0, 1), Deliver(1, 1), LoseAll()};
}

// What the script takes is among the budgets.
Scenario After(std::string name, std::string text, std::vector<ScriptStep> script,
               std::array<uint32_t, kNodes> proposals_max,
               std::array<uint32_t, kNodes> suspicions_max) {
  return {std::move(name), std::move(text),
          [proposals_max, suspicions_max](Protocol& p) {
            p.proposals_max = proposals_max;
            p.suspicions_max = suspicions_max;
          },
          std::move(script)};
}

std::vector<Scenario> Scenarios() {
  return {
      After("boot", "node 0 leads and may propose; node 2 may take over and propose", {}, {1, 0, 1},
            {0, 0, 1}),
      After(
          "leader-changed",
          "node 2 leads and its value is chosen, but node 0 knows nothing of it (LMC section 5.6)",
          LeaderChanged(), {1, 0, 1}, {1, 0, 1}),
      After(
          kAcceptorChanged,
          "node 0 has replaced the acceptor of its chosen value; node 1 may take over and propose",
          AcceptorChanged(), {1, 1, 0}, {1, 1, 0}),
      After(kLive, "a running cluster, from boot on: each node may propose and suspect a few times",
            {}, {4, 4, 4}, {2, 2, 2}),
  };
}

std::vector<model::BugRow<Protocol>> Bugs() {
  return {{"plus-plus", "a misplaced ++ makes the first leader its own acceptor (LMC section 5.6)",
           [](Protocol& p) { p.acceptor_is_leader = true; },
           // Its script needs node 1 as the first acceptor.
           [](const Protocol&, const std::string& scenario) {
             return scenario == kAcceptorChanged ? "the first acceptor still in charge" : "";
           }}};
}

}  // namespace

Family::Family()
    : model::Family<Protocol>({.name = "onepaxos",
                               .text = "1Paxos: one leader, one active acceptor, both appointed "
                                       "through Paxos; three nodes",
                               .scenarios = Scenarios(),
                               .bugs = Bugs(),
                               .live = kLive,
                               .version = FORETELL_SOURCE_VERSION}) {}

}  // namespace foretell::integration::onepaxos
