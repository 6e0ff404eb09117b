#include "foretell/integration/chord/ring/family.h"

#include <string>
#include <vector>

#include "foretell/integration/chord/ring/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::chord::ring {
namespace {

std::string NeedsTwoThatJoin(const Protocol& protocol, const std::string&) {
  return protocol.nodes >= 3 ? "" : "two nodes that join";
}

std::string NeedsAReset(const Protocol& protocol, const std::string&) {
  return protocol.resets ? "" : "a node that may lose its state";
}

// Of three, so that there is a ring without the one that is outside.
std::string NeedsAResetOfThree(const Protocol& protocol, const std::string&) {
  return protocol.resets && protocol.nodes >= 3 ? "" : "a node of three that may lose its state";
}

// Node 0 finds the way to node 1 by itself, but nobody tells node 2 of a node before it.
std::string NeedsTheLastToReset(const Protocol& protocol, const std::string&) {
  const bool last = protocol.nodes >= 3 && protocol.resets == protocol.nodes - 1;
  return last ? "" : "a last node of three that may lose its state";
}

// Also the scenario in which nodes run live.
constexpr const char* kRing3 = "ring-3";

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  return {
      {kRing3, "nodes 1 and 2 join through node 0, and all stabilise for ever (MaceMC section 6)",
       [](Protocol& p) { p = {.nodes = 3}; }},
      {"ring-3-sources", "as ring-3, but node 2 may join through node 1 as well",
       [](Protocol& p) { p = {.nodes = 3, .any_source = true}; }},
      {"ring-4", "as ring-3, with one node more", [](Protocol& p) { p = {.nodes = 4}; }},
      {"ring-2-reset", "a ring of two, of which node 1 may lose its state once",
       [](Protocol& p) { p = {.nodes = 2, .resets = 1}; }},
      {"ring-3-reset", "as ring-3, and node 2 may lose its state once",
       [](Protocol& p) { p = {.nodes = 3, .resets = 2}; }},
      {"ring-3-source-reset", "as ring-3-sources, and node 1 may lose its state once",
       [](Protocol& p) { p = {.nodes = 3, .any_source = true, .resets = 1}; }},
  };
}

std::vector<model::BugRow<Protocol>> Bugs() {
  const auto plant = [](Bug bug) { return [bug](Protocol& p) { p.bug = bug; }; };
  return {
      {"self-loop",
       "who becomes the predecessor of a lone node does not become its successor (MaceMC section "
       "6)",
       plant(Bug::kSelfLoop)},
      {"no-notify", "a node that learns of a nearer successor does not tell it",
       plant(Bug::kNoNotify), NeedsTwoThatJoin},
      {"mute-outsider", "a node that is no member does not answer those who stabilise",
       plant(Bug::kMuteOutsider), NeedsTheLastToReset},
      {"deaf-bootstrap", "who asks to join before there is a ring never gets an answer",
       plant(Bug::kDeafBootstrap)},
      {"stuck-pair", "a node left alone is its own successor, but not its own predecessor",
       plant(Bug::kStuckPair), NeedsAReset},
      {"lost-alone", "a node that is alone looks for a next hop", plant(Bug::kLostAlone)},
      {"own-successor", "a node that joins again takes itself for its successor if told so",
       plant(Bug::kOwnSuccessor), NeedsAResetOfThree},
  };
}

}  // namespace

std::unique_ptr<model::ServiceFamily> MakeFamily() {
  return std::make_unique<model::Family<Protocol>>(
      model::FamilyRows<Protocol>{.name = "chord",
                                  .text = "Chord: nodes join a ring and stabilise for ever",
                                  .scenarios = Scenarios(),
                                  .bugs = Bugs(),
                                  .live = kRing3,
                                  .version = FORETELL_SOURCE_VERSION});
}

}  // namespace foretell::integration::chord::ring
