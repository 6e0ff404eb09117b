#include "foretell/agent/sidecar/steering/company.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

using snapshot::KnownAgent;
using snapshot::Mode;

// "enforces atomic and order"; empty if it does so with nothing.
std::string Does(const Company::Member& member, Mode mode, const char* verb) {
  std::vector<std::string> names;
  for (const auto& [invariant, own] : member.agent.modes) {
    if (own == mode) names.push_back(invariant);
  }
  return names.empty() ? "" : absl::StrCat(verb, " ", absl::StrJoin(names, " and "));
}

std::string Since(std::chrono::milliseconds known_for, UnixTime now) {
  return " since " + FormatTimeToTheSecond(now - known_for);
}

}  // namespace

void Company::Read(const std::vector<absl::StatusOr<snapshot::NodeCounters>>& counters) {
  members_.clear();
  left_.assign(counters.size(), "");
  for (uint32_t n = 0; n < counters.size(); ++n) {
    if (!counters[n].ok()) continue;
    for (const KnownAgent& known : counters[n]->agents) {
      if (known.agent.life != self_.life) Add(n, known);
    }
  }
  // Two that share a name and are both there are two agents, wherever one of them cannot be
  // reached.
  for (Member& member : members_) {
    if (!member.connected) continue;
    member.own = false;
    std::replace(left_.begin(), left_.end(), member.agent.life, std::string());
  }
  std::sort(members_.begin(), members_.end(),
            [](const Member& a, const Member& b) { return a.agent.life < b.agent.life; });
}

void Company::Add(uint32_t node, const KnownAgent& known) {
  const bool own = known.agent.name == self_.name && !known.agent.life.empty();
  if (own && !known.connected && known.filters > 0) left_[node] = known.agent.life;
  auto member = std::find_if(members_.begin(), members_.end(),
                             [&](const Member& one) { return one.agent.life == known.agent.life; });
  if (member == members_.end())
    member = members_.insert(member, {.agent = known.agent, .own = own});
  member->connected = member->connected || known.connected;
  member->known_for = std::max(member->known_for, known.known_for);
  member->filters += known.filters;
  member->lease = std::max(member->lease, known.lease);
  member->nodes.push_back(node);
}

std::string TextOf(const Company::Member& member, UnixTime now) {
  const std::string name = Printable(member.agent.name, true);
  const std::string vetoes =
      absl::StrCat(member.filters, member.filters == 1 ? " veto" : " vetoes", " in force");
  if (member.own) {
    return absl::StrCat("an earlier life of this agent has left ", vetoes, ", for ",
                        DurationText(std::chrono::ceil<std::chrono::seconds>(member.lease)),
                        " at most");
  }
  std::vector<std::string> does;
  for (const auto& [mode, verb] :
       {std::pair(Mode::kEnforce, "enforces"), std::pair(Mode::kShadow, "shadows")}) {
    if (std::string text = Does(member, mode, verb); !text.empty()) does.push_back(std::move(text));
  }
  if (does.empty()) does.emplace_back("watches");
  const std::string who = name.empty() ? "another agent, which does not say who it is,"
                                       : absl::StrCat("another agent, '", name, "',");
  return absl::StrCat(who, " ", Printable(absl::StrJoin(does, " and "), true),
                      Since(member.known_for, now), member.connected ? "" : ", and is gone", "; ",
                      vetoes);
}

}  // namespace foretell::agent
