#include "foretell/integration/chord/family.h"

#include <memory>
#include <string>
#include <utility>

#include "foretell/integration/chord/protocol.h"
#include "foretell/integration/chord/ring/family.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::chord {
namespace {

std::string NeedsTwoThatJoin(const Protocol& protocol, const std::string&) {
  return protocol.nodes >= 3 ? "" : "two nodes that join";
}

model::FamilyRows<Protocol> Rows() {
  return {
      .name = "chord",
      .text = "Chord: nodes join a ring, stabilise and notify, with at most one timeout each",
      .scenarios = {{"chord-2",
                     "node 1 joins node 0, which stabilises once more (DEMETER section 5.1)",
                     [](Protocol& p) {
                       p = {.nodes = 2, .rounds_max = {1, 0, 0}};
                     }},
                    {"chord-3",
                     "nodes 1 and 2 join through node 0 at any time (DEMETER section 5.1)",
                     [](Protocol& p) { p = {.nodes = 3}; }},
                    {"chord-3-wide", "as chord-3, and node 2 stabilises once more",
                     [](Protocol& p) {
                       p = {.nodes = 3, .rounds_max = {0, 0, 1}};
                     }}},
      .bugs = {{"any-predecessor",
                "whoever notifies becomes the predecessor, however far away it is",
                [](Protocol& p) { p.bug = Bug::kAnyPredecessor; }, NeedsTwoThatJoin},
               {"own-ring", "a node that waits too long for its successor founds a ring of its own",
                [](Protocol& p) { p.bug = Bug::kOwnRing; }}},
      .version = FORETELL_SOURCE_VERSION,
  };
}

model::Catalog Parts() {
  model::Catalog parts;
  parts.push_back(std::make_unique<model::Family<Protocol>>(Rows()));
  parts.push_back(ring::MakeFamily());
  return parts;
}

}  // namespace

Family::Family()
    : JoinedFamily({"chord", "Chord: nodes join a ring, stabilise and notify"}, Parts()) {}

}  // namespace foretell::integration::chord
