#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/values/stats.h"
#include "foretell/integration/sdk/values/time.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/node/guard.h"

namespace foretell::integration::sdk {

// The agents that guard a node, and what they have answered: the node's half of the guard protocol
// (docs/decisions/0047-guard.md), without the events themselves, which Core holds. Several agents
// are asked independently of each other; one refusal is enough. Pure; belongs to the node's loop.
class GuardLine {
 public:
  using Session = uint64_t;
  static constexpr size_t kSessionsMax = 8;

  // Without a survivor a crash leaves `reborn`, whatever the state was.
  GuardLine(const model::Service& service, model::NodeId self, std::optional<std::string> reborn,
            Stats& stats);

  // Guards from now on, in place of what this session wanted before; `live` is the node as it is.
  // Terms without invariants end the session. InvalidArgument, and nothing changes, if the terms do
  // not fit the service.
  absl::StatusOr<snapshot::GuardJoined> Join(Session session, const snapshot::GuardTerms& terms,
                                             snapshot::GuardChannel channel,
                                             const model::LiveNode& live);
  // The former life of this node was guarded, as its `mark` says: what has to be asked for waits
  // for an agent to join, for one hold and not longer. A mark that does not fit the service is
  // nothing.
  void Await(const std::string& mark, const model::LiveNode& live);
  // What Await is to be told in a next life; empty: the node is not guarded.
  const std::string& mark() const { return mark_; }
  // The agent is gone. Nobody waits for it any more.
  void End(Session session);
  bool guarded() const { return !sessions_.empty(); }

  // If `after` looks different from the last state that was handed in: asks, and returns the number
  // of the step; else 0. `describe` is for people.
  uint64_t Ask(const model::LiveNode& after, bool forced,
               const std::function<std::string()>& describe, Time now);
  void OnAnswer(Session session, const snapshot::GuardAnswer& answer);
  // Gives up agents that have let a step wait for longer than its hold.
  void OnTime(Time now);
  std::optional<Time> Next() const;
  // Gives up all agents that have not answered everything.
  void LapseWaiting(const std::string& why);

  // Nothing while somebody is to answer. Steps are decided in order: of an earlier one first.
  std::optional<snapshot::GuardAnswer> AnswerOf(uint64_t step) const;
  // The step has happened, at `now`.
  void Applied(uint64_t step, Time now);
  // None of the steps that were asked for and have not happened will; `live` is the node as it is.
  void Rollback(const model::LiveNode& live);
  // What has happened so far is durable: tells whom it concerns.
  void Settle();

 private:
  struct Guard {
    std::vector<size_t> invariants;
    std::vector<size_t> columns;  // Of tip_, in the order of the invariants.
    std::chrono::milliseconds hold{0};
    snapshot::GuardChannel channel;
    uint64_t settled = 0;
  };
  struct Waiting {
    std::set<Session> silent;
    snapshot::GuardAnswer answer;
    Time since{};
    bool expired = false;
  };
  void Lapse(Session session, const std::string& why);
  // Stands for an agent that is still to come.
  static constexpr Session kNobody = 0;

  void Watch();  // Takes together what all sessions want.
  // What is watched of a node, by column.
  template <class Project>
  snapshot::GuardView ViewOf(Project project) const;
  snapshot::GuardView ViewOf(const model::LiveNode& live) const;
  // Of `live`, after a crash, and after the restart that follows.
  snapshot::GuardViews ViewsOf(const model::LiveNode& live) const;
  static snapshot::GuardViews Pick(const Guard& guard, const snapshot::GuardViews& views);

  const model::Service& service_;
  const model::NodeId self_;
  const std::optional<std::string> reborn_;
  Stats& stats_;
  std::map<Session, Guard> sessions_;
  std::string mark_;
  std::vector<size_t> watched_;  // Invariants, by column.
  snapshot::GuardView tip_;      // Of the state that was handed in last.
  std::map<uint64_t, Waiting> waiting_;
  uint64_t last_ = 0;  // Number of the last step that was asked for.
  uint64_t base_ = 0;  // The step that the last state handed in came from.
  uint64_t at_ = 0;    // The last step that has happened.
  uint64_t decided_ = 0;
};

}  // namespace foretell::integration::sdk
