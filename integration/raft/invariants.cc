#include "foretell/integration/raft/invariants.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "foretell/model/typed/fields.h"

namespace foretell::integration::raft {
namespace {

using model::NodeId;
using model::PairInvariant;
using model::SystemInvariant;
using model::TypedInvariant;

std::vector<Entry> Prefix(const std::vector<Entry>& log, uint64_t size) {
  return {log.begin(), log.begin() + static_cast<std::ptrdiff_t>(size)};
}

bool IsPrefix(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

TypedInvariant<State> ElectionSafety() {
  return PairInvariant<State, uint64_t>(
      {.name = "election-safety", .text = "No two nodes lead in the same term."},
      [](NodeId, const State& s) { return s.led > 0 ? std::optional(s.led) : std::nullopt; },
      [](const uint64_t& a, const uint64_t& b) { return a == b; });
}

// Two logs that agree on the term at an index agree on everything up to there, contents included.
bool LogsDiffer(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  bool differs = false;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differs = differs || a[i] != b[i];
    if (differs && a[i].term == b[i].term) return true;
  }
  return false;
}

TypedInvariant<State> LogMatching() {
  using Log = std::vector<Entry>;
  return PairInvariant<State, Log>(
      {.name = "log-matching",
       .text = "Logs with an entry of the same index and term are the same up to there."},
      [](NodeId, const State& s) { return s.log.size() > 1 ? std::optional(s.log) : std::nullopt; },
      LogsDiffer);
}

// A leader's whole log, and everybody's committed part.
struct Claim {
  uint64_t term = 0;
  bool leads = false;
  uint64_t commit = 0;
  std::vector<Entry> log;
  FORETELL_FIELDS(term, leads, commit, log)
};

std::optional<Claim> ClaimOf(NodeId, const State& s) {
  const bool leads = s.role == Role::kLeader;
  if (!leads && s.commit <= 1) return std::nullopt;
  return Claim{s.term, leads, s.commit, leads ? s.log : Prefix(s.log, s.commit)};
}

bool Lacks(const Claim& leader, const Claim& other) {
  return leader.leads && leader.term >= other.term &&
         !IsPrefix(Prefix(other.log, other.commit), leader.log);
}

TypedInvariant<State> LeaderCompleteness() {
  return PairInvariant<State, Claim>(
      {.name = "leader-completeness",
       .text = "A leader has every entry that a node of its own or a lower term has committed."},
      ClaimOf, [](const Claim& a, const Claim& b) { return Lacks(a, b) || Lacks(b, a); });
}

// Not stable: a crash, and a server that the library stops, empties the state machine.
TypedInvariant<State> StateMachineSafety() {
  using Applied = std::vector<Entry>;
  return PairInvariant<State, Applied>(
      {.name = "state-machine-safety",
       .text = "No two nodes apply different commands at the same index."},
      [](NodeId, const State& s) {
        return s.machine.size() > 1 ? std::optional(s.machine.Expand(s.log)) : std::nullopt;
      },
      [](const Applied& a, const Applied& b) { return !IsPrefix(a, b) && !IsPrefix(b, a); });
}

// Entries that a crash now would not take: on disk, and not about to be cut off.
struct Holding {
  uint64_t commit = 0;
  uint64_t durable = 0;
  std::vector<Entry> log;  // As far as it is committed or durable.
  FORETELL_FIELDS(commit, durable, log)
};

std::optional<Holding> HoldingOf(NodeId, const State& s) {
  const uint64_t size = std::max(s.commit, s.disk.shared);
  if (size <= 1) return std::nullopt;
  return Holding{s.commit, s.disk.shared, Prefix(s.log, size)};
}

bool Holds(const Holding& node, uint64_t index, const Entry& entry) {
  return node.durable >= index && node.log[index - 1] == entry;
}

bool AMinorityHolds(const std::vector<std::optional<Holding>>& nodes) {
  for (const auto& claims : nodes) {
    for (uint64_t i = 2; claims && i <= claims->commit; ++i) {
      const auto holders = std::count_if(nodes.begin(), nodes.end(), [&](const auto& node) {
        return node && Holds(*node, i, claims->log[i - 1]);
      });
      if (2 * static_cast<size_t>(holders) <= nodes.size()) return true;
    }
  }
  return false;
}

// Durable, not only in memory: a leader counts what is stored, and a committed entry has to survive
// that any minority forgets its memory.
TypedInvariant<State> CommittedOnAMajority() {
  return SystemInvariant<State, Holding>(
      {.name = "committed-on-a-majority",
       .text = "What a node counts as committed is on the disks of a majority."},
      HoldingOf, AMinorityHolds);
}

struct Match {
  uint32_t node = 0;
  uint64_t term = 0;
  std::vector<uint64_t> match;  // A leader's, by node.
  uint64_t durable = 0;
  std::vector<Entry> log;
  FORETELL_FIELDS(node, term, match, durable, log)
};

std::optional<Match> MatchOf(NodeId node, const State& s) {
  Match match{node.value(), s.term, {}, s.disk.shared, s.log};
  for (const Progress& progress : s.progress) match.match.push_back(progress.match);
  return match;
}

// A follower of a higher term may have dropped what it had.
bool Overcounts(const Match& leader, const Match& other) {
  if (leader.match.empty() || other.term > leader.term) return false;
  const uint64_t match = std::min<uint64_t>(leader.match[other.node], leader.log.size());
  if (match <= 1) return false;
  return other.durable < match ||
         !IsPrefix(Prefix(leader.log, match), Prefix(other.log, other.durable));
}

// Comes before a wrong commit: the leader needs only to count again.
TypedInvariant<State> MatchIsHeld() {
  return PairInvariant<State, Match>(
      {.name = "match-is-held",
       .text = "What a leader counts as replicated to a node is on that node's disk."},
      MatchOf, [](const Match& a, const Match& b) { return Overcounts(a, b) || Overcounts(b, a); });
}

}  // namespace

std::vector<TypedInvariant<State>> MakeInvariants(bool early_warning) {
  std::vector<TypedInvariant<State>> invariants;
  invariants.push_back(ElectionSafety());
  invariants.push_back(LogMatching());
  invariants.push_back(LeaderCompleteness());
  invariants.push_back(StateMachineSafety());
  invariants.push_back(CommittedOnAMajority());
  if (early_warning) invariants.push_back(MatchIsHeld());
  return invariants;
}

}  // namespace foretell::integration::raft
