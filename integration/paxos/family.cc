#include "foretell/integration/paxos/family.h"

#include <algorithm>
#include <utility>

namespace foretell::integration::paxos {
namespace {

using model::Act;
using model::Deliver;
using model::LoseAll;
using model::ScriptStep;
using Scenario = model::ScenarioRow<Protocol>;

constexpr const char* kLive = "live";
constexpr uint32_t kLiveWindow = 32;  // How many instances a live node keeps.

// Node 0 has its value accepted by nodes 0 and 1; only node 0 learns of it.
std::vector<ScriptStep> LearnedByOne() {
  return {Act(0),        Deliver(0, 0), Deliver(0, 1), Deliver(0, 0), Deliver(1, 0),
          Deliver(0, 0), Deliver(0, 1), Deliver(0, 0), Deliver(1, 0), LoseAll()};
}

// Ballot 1 is accepted by node 0 alone, then ballot 2 with another value by nodes 1 and 2; only
// node 1 learns of it.
std::vector<ScriptStep> TwoValuesAccepted() {
  return {Act(0),        Deliver(0, 0), Deliver(0, 1), Deliver(0, 0), Deliver(1, 0), Deliver(0, 0),
          LoseAll(),     Act(1),        Deliver(1, 1), Deliver(1, 2), Deliver(1, 1), Deliver(2, 1),
          Deliver(1, 1), Deliver(1, 2), Deliver(1, 1), Deliver(2, 1), LoseAll()};
}

// One decree; `proposals_max` of each node.
Scenario Single(std::string name, std::string text, std::array<uint32_t, kNodesMax> proposals_max) {
  return {std::move(name), std::move(text), [proposals_max](Protocol& p) {
            p.rules.single_decree = true;
            p.proposals_max = proposals_max;
          }};
}

// After `script`, whose proposals are among `proposals_max`.
Scenario After(std::string name, std::string text, std::vector<ScriptStep> script,
               std::array<uint32_t, kNodesMax> proposals_max,
               std::array<uint8_t, kNodesMax> crashes_max = {}) {
  return {std::move(name), std::move(text),
          [proposals_max, crashes_max](Protocol& p) {
            p.proposals_max = proposals_max;
            p.crashes_max = crashes_max;
          },
          std::move(script)};
}

// Proposals are actions of the nodes, not messages in flight at the start: one-proposal then has
// the 7,068 states and two-proposals the 88,244,942 that are known from other checkers.
std::vector<Scenario> Scenarios() {
  return {
      Single("one-proposal", "node 0 may propose once", {1, 0, 0}),
      Single("two-proposals", "nodes 0 and 1 may propose once", {1, 1, 0}),
      Single("three-proposals", "nodes 0 to 2 may propose once", {1, 1, 1}),
      After("learned-by-one",
            "nodes 0 and 1 accepted, only node 0 learned; node 1 may propose (LMC section 5.5)",
            LearnedByOne(), {1, 1, 0}),
      After("restart",
            "as learned-by-one, but node 1 may crash and node 2 may propose (DEMETER section 5.3)",
            LearnedByOne(), {1, 0, 1}, {0, 1, 0}),
      After("stepping-stone",
            "nodes 0 and 1 accepted different values, node 2 may propose (DEMETER section 5.3)",
            TwoValuesAccepted(), {1, 1, 1}),
      After("two-each", "nodes 0 to 2 may propose twice, for unlearned or new indexes", {},
            {2, 2, 2}),
      {kLive, "a running cluster: the application proposes, from boot on",
       [](Protocol& p) { p.window = kLiveWindow; }},
  };
}

bool MayCrash(const Protocol& protocol) {
  return std::any_of(protocol.crashes_max.begin(), protocol.crashes_max.end(),
                     [](uint8_t crashes) { return crashes > 0; });
}

std::vector<model::BugRow<Protocol>> Bugs() {
  return {
      {"last-response", "at the majority, the last promise decides the value (LMC section 5.5)",
       [](Protocol& p) { p.rules.bug = Bug::kLastResponse; }},
      {"forgets-promise", "an acceptor forgets its promise and vote when it restarts",
       [](Protocol& p) {
         p.rules.bug = Bug::kForgetsPromise;
         // Live nodes crash whenever they like.
         if (p.window > 0) p.crashes_max = {1, 1, 1};
       },
       [](const Protocol& p, const std::string&) {
         return MayCrash(p) || p.window > 0 ? "" : "a crash";
       }},
      {"first-value", "the first accepted value heard of wins, not that of the highest ballot",
       [](Protocol& p) { p.rules.bug = Bug::kFirstValue; }},
  };
}

}  // namespace

Family::Family()
    : model::Family<Protocol>(
          {.name = "paxos",
           .text = "multi-decree Paxos; each node is proposer, acceptor and learner",
           .scenarios = Scenarios(),
           .bugs = Bugs(),
           .parameters = {{"nodes", "how many there are", &Protocol::nodes, kNodes, kNodesMax}},
           .live = kLive,
           .version = FORETELL_SOURCE_VERSION}) {}

}  // namespace foretell::integration::paxos
