#include "foretell/integration/paxos/family.h"

#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/family/script.h"
#include "foretell/integration/paxos/protocol.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::paxos {
namespace {

constexpr const char* kLive = "live";

struct Scenario {
  const char* name;
  const char* text;
  std::array<uint32_t, kNodes> proposals_max;  // Those that the script makes included.
  std::array<uint8_t, kNodes> crashes_max;
  std::vector<ScriptStep> script;
  bool single_decree = false;
  uint32_t window = 0;  // Live: how many instances a node keeps.
};

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

// Proposals are actions of the nodes, not messages in flight at the start: one-proposal then has
// the 7,068 states and two-proposals the 88,244,942 that are known from other checkers.
std::vector<Scenario> Scenarios() {
  return {
      {"one-proposal", "node 0 may propose once", {1, 0, 0}, {}, {}, true},
      {"two-proposals", "nodes 0 and 1 may propose once", {1, 1, 0}, {}, {}, true},
      {"three-proposals", "each node may propose once", {1, 1, 1}, {}, {}, true},
      {"learned-by-one",
       "nodes 0 and 1 accepted, only node 0 learned; node 1 may propose (LMC section 5.5)",
       {1, 1, 0},
       {},
       LearnedByOne()},
      {"restart",
       "as learned-by-one, but node 1 may crash and node 2 may propose (DEMETER section 5.3)",
       {1, 0, 1},
       {0, 1, 0},
       LearnedByOne()},
      {"stepping-stone",
       "nodes 0 and 1 accepted different values, node 2 may propose (DEMETER section 5.3)",
       {1, 1, 1},
       {},
       TwoValuesAccepted()},
      {"two-each", "each node may propose twice, for unlearned or new indexes", {2, 2, 2}, {}, {}},
      {kLive, "a running cluster: the application proposes, from boot on", {}, {}, {}, false, 32},
  };
}

struct PlantedBug {
  Bug bug;
  model::Named named;
};

std::vector<PlantedBug> PlantedBugs() {
  return {
      {Bug::kLastResponse,
       {"last-response", "at the majority, the last promise decides the value (LMC section 5.5)"}},
      {Bug::kForgetsPromise,
       {"forgets-promise", "an acceptor forgets its promise and vote when it restarts"}},
      {Bug::kFirstValue,
       {"first-value", "the first accepted value heard of wins, not that of the highest ballot"}},
  };
}

bool MayCrash(const Scenario& scenario) {
  return scenario.crashes_max != decltype(scenario.crashes_max){};
}

absl::StatusOr<model::System> MakeSystem(const Scenario& scenario, Bug bug) {
  Protocol protocol;
  protocol.rules.bug = bug;
  protocol.rules.single_decree = scenario.single_decree;
  protocol.proposals_max = scenario.proposals_max;
  protocol.crashes_max = scenario.crashes_max;
  protocol.window = scenario.window;
  model::System system;
  system.service = model::MakeService(std::move(protocol));
  absl::StatusOr<model::SystemCut> start = Play(*system.service, scenario.script);
  if (!start.ok()) return start.status();
  system.start = *std::move(start);
  return system;
}

}  // namespace

std::string Family::text() const {
  return "multi-decree Paxos, three nodes, each proposer, acceptor and learner";
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

std::string Family::live_scenario() const { return kLive; }

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  Bug planted = Bug::kNone;
  for (const PlantedBug& known : PlantedBugs()) {
    if (known.named.name == bug) planted = known.bug;
  }
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (planted == Bug::kForgetsPromise && known.window > 0) {
      Scenario crashing = known;
      crashing.crashes_max = {1, 1, 1};
      return MakeSystem(crashing, planted);
    }
    if (planted == Bug::kForgetsPromise && !MayCrash(known)) {
      return absl::InvalidArgumentError(
          absl::StrCat("bug ", bug, " needs a crash, which scenario ", scenario, " does not have"));
    }
    return MakeSystem(known, planted);
  }
  return absl::InvalidArgumentError(absl::StrCat("paxos has no scenario ", scenario));
}

}  // namespace foretell::integration::paxos
