#include "foretell/integration/pastry/family.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/pastry/leaves/family.h"
#include "foretell/integration/pastry/protocol.h"
#include "foretell/model/typed/family.h"

namespace foretell::integration::pastry {
namespace {

std::string NeedsTwoThatJoin(const Protocol& protocol, const std::string&) {
  return protocol.nodes >= 3 ? "" : "two nodes that join";
}

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  return {
      {"pastry-2", "node 1 joins node 0, which probes it once (DEMETER section 5.1)",
       [](Protocol& p) {
         p = {.nodes = 2, .timeouts = {true, true}, .repairs_max = {1, 1}, .probes_max = {1}};
       }},
      {"pastry-3",
       "nodes 1 and 2 join through node 0 at any time; node 1 may time out (DEMETER section 5.1)",
       [](Protocol& p) {
         p = {.nodes = 3, .timeouts = {false, true, false}, .repairs_max = {1, 1, 1}};
       }},
      {"pastry-3-wide", "nodes 1 and 2 join through node 0 at any time, and both may time out",
       [](Protocol& p) {
         p = {.nodes = 3, .timeouts = {false, true, true}};
       }},
  };
}

model::FamilyRows<Protocol> Rows() {
  return {
      .name = "pastry",
      .text =
          "Pastry: nodes join by prefix routing and announce themselves, with at most one "
          "timeout each",
      .scenarios = Scenarios(),
      .bugs = {{"bare-ack", "a node that acknowledges a newcomer does not say whom else it knows",
                [](Protocol& p) { p.bug = Bug::kBareAck; }, NeedsTwoThatJoin},
               {"hasty", "a node that waits too long for acknowledgements takes itself for joined",
                [](Protocol& p) { p.bug = Bug::kHasty; }}},
      .version = FORETELL_SOURCE_VERSION,
  };
}

model::Catalog Parts() {
  model::Catalog parts;
  parts.push_back(std::make_unique<model::Family<Protocol>>(Rows()));
  parts.push_back(leaves::MakeFamily());
  return parts;
}

}  // namespace

Family::Family()
    : JoinedFamily({"pastry", "Pastry: nodes join an overlay and announce themselves"}, Parts()) {}

}  // namespace foretell::integration::pastry
