#include "foretell/agent/demo/demo_script.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/demo/transport_demo.h"

namespace foretell::agent {
namespace {

std::string Title(const std::string& service, const std::string& bug) {
  return absl::StrCat(service, bug.empty() ? "" : " with ", bug);
}

}  // namespace

std::vector<DemoScript> DemoScripts() {
  // 30 % of all messages between nodes are lost, as in LMC section 5.5.
  const std::vector<std::string> lossy = {"--loss", "0.3", "--delay", "2ms..40ms"};
  return {
      {"paxos", "last-response", "the last promise decides the value (LMC section 5.5)", "Propose",
       143, lossy},
      {"paxos", "first-value", "the first accepted value decides (DEMETER section 5.3)", "Propose",
       79, lossy},
      {"onepaxos", "plus-plus", "the first leader is its own acceptor (LMC section 5.6)", "Start",
       7, lossy},
      {"transport",
       "stale-syn",
       "an old SYN is taken for a new connection (MaceMC section 5): nothing arrives ever again",
       "",
       1,
       {},
       kTransportScenario,
       true},
      {"register",
       "hasty-reader",
       "a replicated register whose reader is content with one answer: a read misses a write",
       "",
       1,
       {},
       "live",
       true},
      {"raft",
       "",
       "libraft as Debian ships it loses an acknowledged write",
       "",
       1,
       {},
       "live",
       true},
  };
}

absl::StatusOr<DemoScript> FindDemoScript(const std::string& service, const std::string& bug) {
  std::vector<std::string> known;
  for (DemoScript& script : DemoScripts()) {
    if (script.service == service && (bug.empty() || script.bug == bug)) return std::move(script);
    known.push_back(Title(script.service, script.bug));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no demo of ", Title(service, bug), "; there is ", absl::StrJoin(known, ", ")));
}

}  // namespace foretell::agent
