// What clients and time may do to a running cluster: the test driver of a live raft.

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/integration/raft/protocol.h"
#include "foretell/model/typed/type_name.h"

namespace foretell::integration::raft {
namespace {

using Cut = Protocol::Cut;
using Imagined = Protocol::Imagined;

// What a snapshot of a running cluster is checked with: time and clients do only what is imagined.
Cut Still(const Cut& live) {
  Cut still = live;
  for (auto& state : still.nodes) {
    if (state) state->budget = {};
  }
  return still;
}

bool MayLead(const std::optional<State>& state) {
  return state && (state->role == Role::kLeader || state->role == Role::kCandidate);
}

// The text after "Put(key=", or nothing.
std::optional<std::pair<std::string, std::string>> SplitPut(const std::string& text) {
  const std::string head = "Put(key=";
  const std::string middle = ", value=";
  const size_t comma = text.find(middle);
  if (!absl::StartsWith(text, head) || comma == std::string::npos || text.back() != ')') {
    return std::nullopt;
  }
  const size_t value = comma + middle.size();
  return std::pair(text.substr(head.size(), comma - head.size()),
                   text.substr(value, text.size() - 1 - value));
}

// What the state machine has for `key`, and the index that put it there.
std::optional<std::pair<std::string, uint64_t>> Lookup(const State& state, const std::string& key) {
  const std::string put = absl::StrCat("put ", key, " ");
  for (uint64_t index = state.machine.size(); index > 0; --index) {
    const std::string& command = state.machine.At(state.log, index).data;
    if (absl::StartsWith(command, put)) return std::pair(command.substr(put.size()), index);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Action> Protocol::Calls(model::NodeId node, const State& state) const {
  if (!running) return Actions(node, state);
  if (state.role != Role::kLeader) return {};
  return {Put{"KEY", "VALUE"}};
}

std::optional<Action> Protocol::ParseCall(const std::string& text) const {
  const auto parts = SplitPut(text);
  if (!parts) return std::nullopt;
  return Put{parts->first, parts->second};
}

std::optional<std::string> Protocol::Ask(const State& state, const std::string& question) const {
  if (question == "role") {
    return absl::StrCat(model::ValueName(state.role), " term ", state.term, " log ",
                        state.log.size(), " committed ", state.commit, " applied ", state.applied);
  }
  const std::vector<std::string> words = absl::StrSplit(question, ' ');
  if (words.size() != 2 || words[0] != "get") return std::nullopt;
  const auto found = Lookup(state, words[1]);
  return found ? absl::StrCat("value ", found->first, " index ", found->second) : "nothing";
}

std::vector<Imagined> Protocol::Imagine(const Cut& cut) const {
  if (!running) return {{cut, cut, "time and clients do what they still may"}};
  const Cut still = Still(cut);
  std::vector<Imagined> spaces = {{still, still, "only what is under way happens"}};
  // The bugs of a consensus protocol need new entries or new leaders, seldom many of both.
  const auto add = [&](const std::string& text, auto&& allow) {
    Cut space = still;
    bool allowed = false;
    for (auto& state : space.nodes) allowed = (state && allow(*state)) || allowed;
    if (allowed) spaces.push_back({space, space, text});
  };
  add("leaders take one put", [](State& state) {
    state.budget.puts = MayLead(state) ? 1 : 0;
    return MayLead(state);
  });
  add("leaders take one put and send one heartbeat", [](State& state) {
    state.budget.puts = state.budget.heartbeats = MayLead(state) ? 1 : 0;
    return MayLead(state);
  });
  for (size_t n = 0; n < still.nodes.size(); ++n) {
    if (!still.nodes[n] || still.nodes[n]->role == Role::kLeader) continue;
    Cut space = still;
    space.nodes[n]->budget.timeouts = 1;
    for (auto& state : space.nodes) {
      if (state) state->budget.puts = 1;
    }
    spaces.push_back(
        {space, space, absl::StrCat("node ", n, " times out and leaders take one put")});
  }
  return spaces;
}

}  // namespace foretell::integration::raft
