#include "foretell/integration/pastry/leaves/family.h"

#include <string>
#include <vector>

#include "foretell/integration/pastry/leaves/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::pastry::leaves {
namespace {

std::string NeedsTwoThatJoin(const Protocol& protocol, const std::string&) {
  return protocol.nodes >= 3 ? "" : "two nodes that join";
}

std::string NeedsAReset(const Protocol& protocol, const std::string&) {
  return protocol.resets ? "" : "a node that may lose its state";
}

// Who is told forgets the node, and its join goes its way.
std::string NeedsAnIdleReset(const Protocol& protocol, const std::string&) {
  return protocol.resets && protocol.idle ? "" : "a node that loses its state unnoticed";
}

// Any other comes back through the first.
std::string NeedsTheFirstToReset(const Protocol& protocol, const std::string&) {
  return protocol.resets == 0u ? "" : "a first node that may lose its state";
}

// Also the scenario in which nodes run live.
constexpr const char* kLeaves3 = "leaves-3";

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  return {
      {"leaves-2", "node 1 joins through node 0, and both keep their leaf sets up to date for ever",
       [](Protocol& p) { p = {.nodes = 2}; }},
      {"leaves-2-reset", "as leaves-2, and node 1 may lose its state once, of which node 0 is told",
       [](Protocol& p) { p = {.nodes = 2, .resets = 1}; }},
      {"leaves-2-idle", "as leaves-2-reset, but nobody is told (MaceMC section 1)",
       [](Protocol& p) { p = {.nodes = 2, .resets = 1, .idle = true}; }},
      {"leaves-2-first-reset", "as leaves-2-reset, but it is node 0 that may lose its state",
       [](Protocol& p) { p = {.nodes = 2, .resets = 0}; }},
      {kLeaves3, "as leaves-2, with nodes 1 and 2 that join",
       [](Protocol& p) { p = {.nodes = 3}; }},
      {"leaves-3-idle", "as leaves-3, and node 1 may lose its state once, of which nobody is told",
       [](Protocol& p) { p = {.nodes = 3, .resets = 1, .idle = true}; }},
  };
}

std::vector<model::BugRow<Protocol>> Bugs() {
  const auto plant = [](Bug bug) { return [bug](Protocol& p) { p.bug = bug; }; };
  return {
      {"rejoin", "a node that is no member drops joins that others passed on (MaceMC section 1)",
       plant(Bug::kRejoin), NeedsAnIdleReset},
      {"no-merge", "a member neither takes over leaves that it is told of nor learns who asks it",
       plant(Bug::kNoMerge), NeedsTwoThatJoin},
      {"no-recovery", "a member that has lost the first node never asks for it again",
       plant(Bug::kNoRecovery), NeedsTheFirstToReset},
      {"lost-deferred", "who asks to join before there is an overlay never gets an answer",
       plant(Bug::kLostDeferred)},
      {"half-removed", "who is removed from the leaf set stays in its half",
       plant(Bug::kHalfRemoved), NeedsAReset},
      {"both-sides", "a leaf that is up the ring is put on both sides", plant(Bug::kBothSides)},
  };
}

}  // namespace

std::unique_ptr<model::ServiceFamily> MakeFamily() {
  return std::make_unique<model::Family<Protocol>>(model::FamilyRows<Protocol>{
      .name = "pastry",
      .text = "Pastry: nodes join an overlay and keep their leaf sets up to date for ever",
      .scenarios = Scenarios(),
      .bugs = Bugs(),
      .live = kLeaves3,
      .version = FORETELL_SOURCE_VERSION});
}

}  // namespace foretell::integration::pastry::leaves
