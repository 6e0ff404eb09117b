#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/integration/sdk/node/filter_set.h"
#include "foretell/integration/sdk/node/safety_check.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::integration::sdk {

// The agents of a node: who they are, and what each of them vetoes. The strongest counts: what one
// agent enforces does not happen, whatever another thinks of it, and it ends when that one takes it
// back or its lease is over. Agents are told apart by their lives, so that vetoes outlast a lost
// connection; all that do not introduce themselves are taken for one. Pure; belongs to the node's
// loop.
class AgentRoster {
 public:
  using Session = uint64_t;  // A connection of an agent.
  AgentRoster(const model::Service& service, model::NodeId self) : service_(service), self_(self) {}

  void Introduce(Session session, snapshot::AgentIdentity agent, Time now);
  // The connection is over. What the agent has asked for ends with its leases.
  void End(Session session, Time now);

  // As FilterSet::Replace and SafetyCheck::Set, for the agent of the session. ResourceExhausted if
  // there are too many agents, or too many filters of all of them. AlreadyExists if the decision of
  // a filter is another agent's.
  absl::Status SetFilters(Session session, std::vector<snapshot::Filter> filters, Time now);
  absl::Status SetSafetyCut(Session session, const snapshot::SafetyCut& cut, Time now);
  // See NodeEndpoint::Adopt.
  absl::StatusOr<std::vector<snapshot::Filter>> Adopt(Session session, const std::string& life,
                                                      Time now);

  // True iff no agent asks for anything: no need to look at the clock.
  bool idle() const { return asked_.empty(); }
  // Counts hits, of each agent on its own.
  FilterSet::Match Find(const model::Event& event, Time now);
  // True iff some agent's cut is in force.
  bool Checks(Time now);
  // The strongest of what the agents' cuts say.
  SafetyCheck::Finding Compare(const model::LiveNode& before, const model::LiveNode& after) const;

  std::vector<snapshot::FilterHits> hits() const;
  // Those that are connected, and those that have left vetoes behind.
  std::vector<snapshot::KnownAgent> Known(Time now) const;

 private:
  struct Present {
    snapshot::AgentIdentity agent;
    Time since{};  // That it is as it is.
  };
  // What an agent has asked for.
  struct Asked {
    snapshot::AgentIdentity agent;
    Time since{};
    FilterSet filters;
    SafetyCheck safety;
  };
  // The agent's part; null if it has none and there is no room for one more.
  Asked* Part(Session session, Time now);
  bool Connected(const std::string& life) const;
  absl::Status CheckDecisions(const std::string& life,
                              const std::vector<snapshot::Filter>& filters) const;
  // Drops what nobody asks for any more.
  void Tidy(Time now);

  const model::Service& service_;
  const model::NodeId self_;
  std::map<Session, Present> present_;  // Those that have said who they are.
  std::map<std::string, Asked> asked_;  // By life.
};

}  // namespace foretell::integration::sdk
