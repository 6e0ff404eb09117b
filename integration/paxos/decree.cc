#include "foretell/integration/paxos/decree.h"

#include <algorithm>

namespace foretell::integration::paxos {
namespace {

Tally& TallyOf(Learner& learner, const Learn& learn) {
  auto& tallies = learner.tallies;
  auto it = tallies.begin();
  while (it != tallies.end() && it->ballot < learn.ballot) ++it;
  if (it == tallies.end() || it->ballot != learn.ballot) {
    it = tallies.insert(it, {learn.ballot, learn.value, {}});
  }
  return *it;
}

// Which accepted value a preparing proposer follows after one more promise.
Vote Adopt(const Vote& adopted, const Vote& accepted, Bug bug) {
  if (bug == Bug::kLastResponse) return accepted;
  if (bug == Bug::kFirstValue) return adopted.ballot == 0 ? accepted : adopted;
  return accepted.ballot > adopted.ballot ? accepted : adopted;
}

}  // namespace

Prepare StartBallot(Decree& decree, model::NodeId self, uint32_t value, const Rules& rules) {
  const uint32_t seen = std::max(decree.acceptor.promised, decree.proposer.ballot);
  uint32_t ballot = self.value() + 1;
  while (!rules.single_decree && ballot <= seen) ballot += rules.node_count;
  decree.proposer = {.phase = Phase::kPreparing, .ballot = ballot, .value = value};
  return {decree.index, ballot};
}

std::optional<Promise> OnPrepare(Decree& decree, const Prepare& prepare) {
  Acceptor& acceptor = decree.acceptor;
  if (prepare.ballot < acceptor.promised) return std::nullopt;
  acceptor.promised = prepare.ballot;
  return Promise{decree.index, prepare.ballot, acceptor.accepted};
}

std::optional<Accept> OnPromise(Decree& decree, model::NodeId from, const Promise& promise,
                                const Rules& rules) {
  Proposer& proposer = decree.proposer;
  if (proposer.phase == Phase::kIdle || promise.ballot != proposer.ballot) return std::nullopt;
  proposer.promised_by.insert(from);
  // Late promises are recorded, but the value is settled.
  if (proposer.phase == Phase::kAccepting) return std::nullopt;
  proposer.adopted = Adopt(proposer.adopted, promise.accepted, rules.bug);
  if (proposer.promised_by.size() < rules.majority()) return std::nullopt;
  if (proposer.adopted.ballot != 0) proposer.value = proposer.adopted.value;
  proposer.adopted = {};
  proposer.phase = Phase::kAccepting;
  return Accept{decree.index, proposer.ballot, proposer.value};
}

std::optional<Learn> OnAccept(Decree& decree, const Accept& accept) {
  Acceptor& acceptor = decree.acceptor;
  if (accept.ballot < acceptor.promised) return std::nullopt;
  acceptor.promised = accept.ballot;
  acceptor.accepted = {accept.ballot, accept.value};
  return Learn{decree.index, accept.ballot, accept.value};
}

void OnLearn(Decree& decree, model::NodeId from, const Learn& learn, const Rules& rules) {
  Learner& learner = decree.learner;
  Tally& tally = TallyOf(learner, learn);
  tally.accepted_by.insert(from);
  if (learner.chosen == 0 && tally.accepted_by.size() >= rules.majority()) {
    learner.chosen = learn.value;
  }
}

Decree SurvivorOf(const Decree& decree, const Rules& rules) {
  Decree survivor;
  survivor.index = decree.index;
  if (rules.bug != Bug::kForgetsPromise) survivor.acceptor = decree.acceptor;
  survivor.proposer.ballot = decree.proposer.ballot;
  survivor.learner.chosen = decree.learner.chosen;
  return survivor;
}

}  // namespace foretell::integration::paxos
