#include "foretell/integration/randtree/family.h"

namespace foretell::integration::randtree {
namespace {

using model::Act;
using model::Deliver;
using Peers = std::vector<std::set<NodeId>>;

constexpr const char* kLive = "live";

constexpr NodeId kA(0);
constexpr NodeId kB(1);
constexpr NodeId kC(2);

// Whom each node knows at first.
Peers Chain() { return {{}, {kA}, {kB}}; }
Peers ChainOfFour() { return {{}, {kA}, {kB}, {kC}}; }
Peers Reverse() { return {{kB}, {kC}, {}}; }
Peers Mutual() { return {{kB}, {kA}}; }
Peers Ring() { return {{kC}, {kA}, {kB}}; }

std::function<void(Protocol&)> From(const Peers& peers, const std::set<NodeId>& resets = {},
                                    uint32_t children_max = 2) {
  return [=](Protocol& p) { p = {.peers = peers, .children_max = children_max, .resets = resets}; };
}

// Nodes 1 and 2 are roots with a child each; node 1 has just taken node 2 in, which will not come.
std::vector<model::ScriptStep> UntilTakenIn() {
  return {Act(1),        Act(2), Act(3),        Deliver(3, 2), Deliver(2, 1),
          Deliver(2, 3), Act(0), Deliver(1, 0), Deliver(0, 1), Deliver(1, 0)};
}

// Node 0 is the root, node 1 has found node 2, and both are its children.
std::vector<model::ScriptStep> UntilOneTree() {
  return {Act(0),        Act(1),        Deliver(1, 2), Deliver(2, 1), Deliver(0, 1),
          Deliver(1, 0), Deliver(1, 0), Deliver(0, 1), Act(1),        Act(2),
          Deliver(1, 2), Deliver(2, 0), Deliver(0, 2)};
}

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  return {
      {"chain", "node 1 knows node 0, node 2 knows node 1", From(Chain())},
      {"leaf-resets", "as chain, and node 2 may lose all it knows (MaceMC section 6)",
       From(Chain(), {kC})},
      {"middle-resets", "as chain, and node 1 may lose all it knows", From(Chain(), {kB})},
      {"root-resets", "as chain, and node 0 may lose all it knows", From(Chain(), {kA})},
      {"narrow", "as middle-resets, with at most one child for each", From(Chain(), {kB}, 1)},
      {"reverse", "node 0 knows node 1, which knows node 2", From(Reverse())},
      {"lost-root", "as reverse, from where all have joined; node 0 may lose all it knows",
       From(Reverse(), {kA}), UntilOneTree()},
      {"mutual", "two nodes that know each other", From(Mutual())},
      {"late-leave", "a chain of four: node 1 takes in node 2, which has a tree of its own by now",
       From(ChainOfFour()), UntilTakenIn()},
      {"chain-4", "a chain of four nodes (large)", From(ChainOfFour())},
      {"ring", "every node knows one other, round in a ring (large)", From(Ring())},
      {kLive, "a running cluster of four: nodes join when they are called",
       [](Protocol& p) { p = {.peers = ChainOfFour(), .patient = false}; }},
  };
}

std::string NeedsReset(const Protocol& p, const std::string&) {
  return !p.resets.empty() || !p.patient ? "" : "a node that loses all it knows";
}
std::string NeedsThree(const Protocol& p, const std::string&) {
  return p.node_count() > 2 ? "" : "three nodes";
}
std::string NeedsFour(const Protocol& p, const std::string&) {
  return p.node_count() > 3 ? "" : "four nodes";
}
std::string NeedsMutual(const Protocol& p, const std::string&) {
  for (uint32_t n = 0; n < p.node_count(); ++n) {
    for (const NodeId peer : p.peers[n]) {
      if (p.peers[peer.index()].contains(NodeId(n))) return "";
    }
  }
  return "two nodes that know each other";
}

std::function<void(Protocol&)> Plant(Bug bug) {
  return [bug](Protocol& p) { p.bug = bug; };
}

std::vector<model::BugRow<Protocol>> Bugs() {
  return {
      {"init-ignores-reply", "an outsider that is taken in does not object (MaceMC section 6)",
       Plant(Bug::kInitIgnoresReply), NeedsReset},
      {"forgets-recovery",
       "who gets a child while joining never looks for other trees (MaceMC section 2)",
       Plant(Bug::kForgetsRecovery), NeedsThree},
      {"keeps-silent", "a member that is taken in by another parent does not object",
       Plant(Bug::kKeepsSilent), NeedsThree},
      {"remove-only-joined", "a node that is joining does not hear that a child leaves",
       Plant(Bug::kRemoveOnlyJoined), NeedsFour},
      {"no-rejoin", "a parent says yes to a child that it does not know", Plant(Bug::kNoRejoin),
       NeedsReset},
      {"old-root", "a node whose root is gone keeps it", Plant(Bug::kOldRoot), NeedsReset},
      {"any-order", "a root takes smaller nodes for children, and goes on joining others",
       Plant(Bug::kAnyOrder), NeedsMutual},
      {"keeps-parent", "a node that has to join again does not forget its parent",
       Plant(Bug::kKeepsParent), NeedsReset},
  };
}

}  // namespace

Family::Family()
    : model::Family<Protocol>({
          .name = "randtree",
          .text = "RandTree: nodes that know few others become one tree, over streams",
          .protocol = {.peers = Chain()},
          .scenarios = Scenarios(),
          .bugs = Bugs(),
          .parameters = {{"children", "how many each node may have", &Protocol::children_max, 1,
                          8}},
          .live = kLive,
          .version = FORETELL_SOURCE_VERSION,
      }) {}

}  // namespace foretell::integration::randtree
