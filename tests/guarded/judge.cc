#include "foretell/tests/guarded/judge.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::guarded {

Judge::Judge(Cluster& cluster)
    : cluster_(cluster),
      covers_(cluster.agents().size(), std::vector<Cover>(cluster.nodes().size())),
      down_(cluster.nodes().size(), false) {
  for (const size_t invariant : cluster.guarded()) {
    Keys& keys = keys_.emplace_back();
    for (uint32_t n = 0; n < cluster.nodes().size(); ++n) {
      keys.push_back(cluster.Project(invariant, n));
    }
  }
  cluster.SetWatcher(this);
}

void Judge::Joined(uint32_t agent, uint32_t node) {
  covers_[agent][node] = {true, true};
  // What is broken when the guard begins, or would be by a crash alone, is not the guard's fault.
  const auto& book = *cluster_.agents()[agent].book;
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (book.safe(i)) continue;
    tainted_.insert({agent, i});
  }
}

void Judge::Forced(uint32_t) {
  for (uint32_t a = 0; a < covers_.size(); ++a) {
    for (size_t i = 0; i < keys_.size(); ++i) tainted_.insert({a, i});
  }
}

bool Judge::Covers(uint32_t agent, uint32_t node, size_t i) const {
  const Cover& cover = covers_[agent][node];
  const bool stable = cluster_.service().invariants()[cluster_.guarded()[i]].stable;
  return cover.full || (cover.stable && stable);
}

void Judge::Changed(uint32_t node) {
  const Core* core = cluster_.nodes()[node].core.get();
  const bool reborn = core != nullptr && down_[node];
  down_[node] = core == nullptr;
  for (auto& covers : covers_) {
    // A new life is not among those that are judged by everything, before it has joined; and one
    // that waits for nobody is not judged at all.
    if (reborn) covers[node].full = false;
    if (core != nullptr && core->guard_mark().empty()) covers[node] = {};
  }
  for (size_t i = 0; i < keys_.size(); ++i) {
    Keys after = keys_[i];
    after[node] = cluster_.Project(cluster_.guarded()[i], node);
    if (after != keys_[i]) Judgement(node, i, keys_[i], after);
    keys_[i] = std::move(after);
  }
}

void Judge::Judgement(uint32_t node, size_t i, const Keys& before, const Keys& after) {
  const model::Service& service = cluster_.service();
  const size_t invariant = cluster_.guarded()[i];
  const auto scope = service.invariants()[invariant].scope;
  std::vector<std::vector<uint32_t>> sets;
  model::AnyNodeSet(
      scope, static_cast<uint32_t>(after.size()), [&](uint32_t n) { return after[n].has_value(); },
      [&](std::span<const uint32_t> set) {
        sets.emplace_back(set.begin(), set.end());
        return false;
      },
      node);
  const auto violated = [&](const Keys& keys, const std::vector<uint32_t>& set) {
    Keys of_set;
    for (const uint32_t n : set) {
      if (!keys[n] && scope != model::Scope::kSystem) return false;
      of_set.push_back(keys[n]);
    }
    return service.Violates(invariant, of_set);
  };
  for (const std::vector<uint32_t>& set : sets) {
    const bool now = violated(after, set) && !violated(before, set);
    violations_ += now ? 1 : 0;
    for (uint32_t a = 0; a < covers_.size(); ++a) {
      const bool promised = !Tainted(a, i) && std::all_of(set.begin(), set.end(), [&](uint32_t n) {
        return Covers(a, n, i);
      });
      judged_ += promised ? 1 : 0;
      if (!promised || !now) continue;
      broken_promises_.push_back(absl::StrCat(
          "agent ", a, ", invariant ", service.invariants()[invariant].name, ", nodes ",
          absl::StrJoin(set, " "), " by node ", node, "\n", absl::StrJoin(cluster_.trace(), "\n")));
    }
  }
}

}  // namespace foretell::guarded
