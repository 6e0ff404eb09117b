#include "foretell/integration/onepaxos/family.h"

#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/family/script.h"
#include "foretell/integration/onepaxos/protocol.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::onepaxos {
namespace {

constexpr const char* kPlusPlus = "plus-plus";
constexpr const char* kLeaderChanged = "leader-changed";
constexpr const char* kAcceptorChanged = "acceptor-changed";
constexpr const char* kLive = "live";

struct Scenario {
  const char* name;
  const char* text;
  std::array<uint32_t, kNodes> proposals_max;  // Those that the script makes included.
  std::array<uint32_t, kNodes> suspicions_max;
  std::vector<ScriptStep> script;
};

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

std::vector<Scenario> Scenarios() {
  return {
      {"boot",
       "node 0 leads and may propose; node 2 may take over and propose",
       {1, 0, 1},
       {0, 0, 1},
       {}},
      {kLeaderChanged,
       "node 2 leads and its value is chosen, but node 0 knows nothing of it (LMC section 5.6)",
       {1, 0, 1},
       {1, 0, 1},
       LeaderChanged()},
      {kAcceptorChanged,
       "node 0 has replaced the acceptor of its chosen value; node 1 may take over and propose",
       {1, 1, 0},
       {1, 1, 0},
       AcceptorChanged()},
      {kLive,
       "a running cluster, from boot on: each node may propose and suspect a few times",
       {4, 4, 4},
       {2, 2, 2},
       {}},
  };
}

}  // namespace

std::string Family::text() const {
  return "1Paxos: one leader, one active acceptor, both appointed through Paxos; three nodes";
}

std::vector<model::Named> Family::scenarios() const {
  std::vector<model::Named> named;
  for (const Scenario& scenario : Scenarios()) named.push_back({scenario.name, scenario.text});
  return named;
}

std::vector<model::Named> Family::bugs() const {
  return {{kPlusPlus, "a misplaced ++ makes the first leader its own acceptor (LMC section 5.6)"}};
}

std::string Family::live_scenario() const { return kLive; }

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (bug == kPlusPlus && scenario == kAcceptorChanged) {
      return absl::InvalidArgumentError(absl::StrCat("bug ", bug, " does not go with ", scenario,
                                                     ", where node 1 was the first acceptor"));
    }
    Protocol protocol;
    protocol.acceptor_is_leader = bug == kPlusPlus;
    protocol.proposals_max = known.proposals_max;
    protocol.suspicions_max = known.suspicions_max;
    model::System system;
    system.service = model::MakeService(std::move(protocol));
    absl::StatusOr<model::SystemCut> start = Play(*system.service, known.script);
    if (!start.ok()) return start.status();
    system.start = *std::move(start);
    return system;
  }
  return absl::InvalidArgumentError(absl::StrCat("onepaxos has no scenario ", scenario));
}

}  // namespace foretell::integration::onepaxos
