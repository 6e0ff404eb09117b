// What Raft promises, asked of the simulator's servers. Written a second time, and on purpose: the
// judge must not share a mistake with invariants.cc.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/judge.h"
#include "foretell/model/report.h"

namespace foretell::integration::raft {
namespace {

using Servers = std::vector<FixtureServer>;

std::string Name(size_t server) { return absl::StrCat("server ", server + 1); }

// What invariants say of two servers, as a function of both.
using PairRule = std::string (*)(const Servers& servers, size_t a, size_t b);

// Whether `log` has at `index` (from 1) what `other` has there.
bool Holds(const std::vector<Entry>& log, const std::vector<Entry>& other, uint64_t index) {
  return index <= log.size() && index <= other.size() && log[index - 1] == other[index - 1];
}

// Whether `server` has it on disk to stay: not if it is about to be cut off. Of a crashed server
// only the disk is left.
bool Stores(const FixtureServer& server, const std::vector<Entry>& log, uint64_t index) {
  return Holds(server.disk, log, index) && (!server.up || Holds(server.log, log, index));
}

// At any time, not only at the same.
std::string ElectionSafety(const Servers& servers, size_t a, size_t b) {
  if (servers[a].led == 0 || servers[a].led != servers[b].led) return "";
  return absl::StrCat(Name(a), " and ", Name(b), " have both led term ", servers[a].led);
}

std::string LogMatching(const Servers& servers, size_t a, size_t b) {
  const std::vector<Entry>& one = servers[a].log;
  const std::vector<Entry>& other = servers[b].log;
  bool same = true;  // Everything before.
  for (size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    same = same && one[i] == other[i];
    if (one[i].term != other[i].term || same) continue;
    return absl::StrCat("the logs of ", Name(a), " and ", Name(b), " have term ", one[i].term,
                        " at index ", i + 1, " and differ there or before");
  }
  return "";
}

std::string LeaderCompleteness(const Servers& servers, size_t a, size_t b) {
  const FixtureServer& leader = servers[a];
  const FixtureServer& other = servers[b];
  if (leader.role != FixtureRole::kLeader || other.term > leader.term) return "";
  for (uint64_t i = 1; i <= other.commit; ++i) {
    if (Holds(leader.log, other.log, i)) continue;
    return absl::StrCat(Name(b), " has committed index ", i, ", which is not in the log of ",
                        Name(a), ", leader of term ", leader.term);
  }
  return "";
}

std::string StateMachineSafety(const Servers& servers, size_t a, size_t b) {
  const std::vector<std::string>& one = servers[a].commands;
  const std::vector<std::string>& other = servers[b].commands;
  for (size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    if (one[i] == other[i]) continue;
    return absl::StrCat("as command ", i + 1, " ", Name(a), " applied \"", one[i], "\" and ",
                        Name(b), " \"", other[i], "\"");
  }
  return "";
}

std::string MatchIsHeld(const Servers& servers, size_t a, size_t b) {
  const FixtureServer& leader = servers[a];
  if (leader.role != FixtureRole::kLeader || servers[b].term > leader.term) return "";
  for (uint64_t i = 1; b < leader.match.size() && i <= leader.match[b]; ++i) {
    if (Stores(servers[b], leader.log, i)) continue;
    return absl::StrCat(Name(a), ", leader of term ", leader.term, ", counts ", Name(b),
                        " for index ", i, ", which it does not store");
  }
  return "";
}

std::string OfPairs(const Servers& servers, PairRule rule) {
  for (size_t a = 0; a < servers.size(); ++a) {
    for (size_t b = 0; b < servers.size(); ++b) {
      if (a == b || !servers[a].up || !servers[b].up) continue;
      if (std::string broken = rule(servers, a, b); !broken.empty()) return broken;
    }
  }
  return "";
}

std::string CommittedOnAMajority(const Servers& servers) {
  for (size_t a = 0; a < servers.size(); ++a) {
    if (!servers[a].up) continue;
    for (uint64_t i = 1; i <= servers[a].commit; ++i) {
      std::string holders;
      size_t count = 0;
      for (size_t b = 0; b < servers.size(); ++b) {
        if (!Stores(servers[b], servers[a].log, i)) continue;
        ++count;
        absl::StrAppend(&holders, holders.empty() ? "" : ", ", Name(b));
      }
      if (2 * count > servers.size()) continue;
      return absl::StrCat(Name(a), " counts index ", i, " as committed, which of ", servers.size(),
                          " disks only ", count, count == 1 ? " holds (" : " hold (", holders, ")");
    }
  }
  return "";
}

// What the library itself asserts, had Debian not compiled it out.
std::string StoredIsInTheLog(const Servers& servers) {
  for (size_t a = 0; a < servers.size(); ++a) {
    if (!servers[a].up || servers[a].stored <= servers[a].log.size()) continue;
    return absl::StrCat(Name(a), " counts ", servers[a].stored, " entries as stored, its log has ",
                        servers[a].log.size());
  }
  return "";
}

}  // namespace

absl::StatusOr<std::string> Broken(const Servers& servers, const std::string& invariant) {
  if (invariant == "committed-on-a-majority") return CommittedOnAMajority(servers);
  if (invariant == model::kLocalAssertions) return StoredIsInTheLog(servers);
  if (invariant == "election-safety") return OfPairs(servers, ElectionSafety);
  if (invariant == "log-matching") return OfPairs(servers, LogMatching);
  if (invariant == "leader-completeness") return OfPairs(servers, LeaderCompleteness);
  if (invariant == "state-machine-safety") return OfPairs(servers, StateMachineSafety);
  if (invariant == "match-is-held") return OfPairs(servers, MatchIsHeld);
  return absl::InvalidArgumentError(absl::StrCat("the judge knows no invariant ", invariant));
}

}  // namespace foretell::integration::raft
