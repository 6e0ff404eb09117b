#include "foretell/integration/raft/family.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/judge.h"
#include "foretell/integration/raft/protocol.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::raft {
namespace {

constexpr const char* kLive = "live";
constexpr uint8_t kUnlimited = Budget::kUnlimited;

struct Scenario {
  const char* name;
  const char* text;
  std::vector<NodeOptions> nodes;
  model::NetworkKind network = model::NetworkKind::kDatagrams;
  bool verified_tail = false;
  bool early_warning = false;
  bool pre_vote = false;
};

NodeOptions May(Budget budget, uint8_t crashes_max = 0, uint8_t breaks_max = 0) {
  return {budget, crashes_max, breaks_max};
}

std::vector<NodeOptions> TwoElections() {
  return {May({.timeouts = 1, .puts = 1}), May({.timeouts = 1, .puts = 1}), May({})};
}

// A break is what the reset of a stream is to a checker; without one nothing could be vetoed.
std::vector<NodeOptions> Live() {
  return std::vector<NodeOptions>(
      3, May({.timeouts = kUnlimited, .heartbeats = kUnlimited, .contact_checks = kUnlimited},
             /*crashes_max=*/0, /*breaks_max=*/1));
}

std::vector<Scenario> Scenarios() {
  return {
      {"two-elections", "nodes 0 and 1 may each time out once and, as leader, take one put",
       TwoElections()},
      {"two-elections-streams", "the same, with messages in order", TwoElections(),
       model::NetworkKind::kStreams},
      {"three-elections",
       "two-elections, and node 0 may time out twice",
       {May({.timeouts = 2, .puts = 1}), May({.timeouts = 1, .puts = 1}), May({})}},
      {.name = "verified-tail",
       .text = "two-elections with a wrapper: a node tells its leader only of entries that this "
               "leader's message has verified",
       .nodes = TwoElections(),
       .verified_tail = true},
      {.name = "early-warning",
       .text = "two-elections, and what leaders believe of others must be true",
       .nodes = TwoElections(),
       .early_warning = true},
      {"one-election",
       "node 0 may time out once, take one put and send heartbeats once",
       {May({.timeouts = 1, .heartbeats = 1, .puts = 1}), May({}), May({})}},
      {"disk",
       "one-election without heartbeats; one write of each of nodes 0 and 1 may fail, and node 0 "
       "may take two puts",
       {May({.timeouts = 1, .puts = 2, .failures = 1}), May({.failures = 1}), May({})}},
      {"disk-streams",
       "node 0 may time out once, take two puts and send heartbeats once; one of its writes may "
       "fail; messages in order",
       {May({.timeouts = 1, .heartbeats = 1, .puts = 2, .failures = 1}), May({}), May({})},
       model::NetworkKind::kStreams},
      {"votes",
       "nodes 0 and 1 may each time out once; nodes 0 and 2 may crash and restart, and fail to "
       "write once",
       {May({.timeouts = 1, .failures = 1}, 1), May({.timeouts = 1}), May({.failures = 1}, 1)}},
      {.name = "pre-votes",
       .text = "nodes 0 and 1 may each time out once, with pre-votes; node 2 may crash and restart",
       .nodes = {May({.timeouts = 1}), May({.timeouts = 1}), May({}, 1)},
       .pre_vote = true},
      {"restart",
       "node 0 may time out once and take one put; node 1 may crash and restart, and time out once",
       {May({.timeouts = 1, .puts = 1}), May({.timeouts = 1}, 1), May({})}},
      {.name = kLive,
       .text = "a running cluster: clients put, from boot on",
       .nodes = Live(),
       .network = model::NetworkKind::kStreams,
       .early_warning = true},
  };
}

}  // namespace

std::string Family::text() const {
  return "Debian's libraft 0.15.0, unmodified: a key-value store on three nodes";
}

std::vector<model::Named> Family::scenarios() const {
  std::vector<model::Named> named;
  for (const Scenario& scenario : Scenarios()) named.push_back({scenario.name, scenario.text});
  return named;
}

std::string Family::live_scenario() const { return kLive; }

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario, const std::string&) const {
  for (Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    auto library = Library::Load({.node_count = static_cast<uint32_t>(known.nodes.size()),
                                  .pre_vote = known.pre_vote,
                                  .verified_tail = known.verified_tail});
    if (!library.ok()) return library.status();
    Protocol protocol;
    protocol.raft_library = *std::move(library);
    protocol.network_kind = known.network;
    protocol.nodes = std::move(known.nodes);
    protocol.running = scenario == kLive;
    protocol.early_warning = known.early_warning;
    model::System system;
    system.service = model::MakeService(std::move(protocol));
    system.start = model::InitialCut(*system.service);
    return system;
  }
  return absl::InvalidArgumentError(absl::StrCat("raft has no scenario ", scenario));
}

std::optional<std::string> Family::SecondOpinion(const std::string& scenario, const std::string&,
                                                 const model::Violation& violation) const {
  for (const Scenario& known : Scenarios()) {
    if (known.name != scenario) continue;
    if (known.pre_vote) return "cannot be expressed: the simulator runs without pre-votes";
    const Verdict verdict =
        Judge(static_cast<unsigned>(known.nodes.size()), violation.path, violation.invariant);
    // Where the simulator follows the path, the wrapper had nothing to do.
    if (known.verified_tail && verdict.kind != Verdict::Kind::kConfirmed) {
      return "cannot be expressed: the simulator runs the library without our wrapper";
    }
    return Text(verdict);
  }
  return std::nullopt;
}

}  // namespace foretell::integration::raft
