#include "foretell/dir/trace/cut_checker.h"

#include <algorithm>
#include <utility>

namespace foretell::dir {

using model::InvariantSet;
using model::KeyId;
using model::NodeId;
using model::Scope;

namespace {

// Pairs are asked about in the order of nodes.
std::vector<NodeId> Sorted(std::span<const NodeId> nodes) {
  std::vector<NodeId> sorted(nodes.begin(), nodes.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

CutChecker::CutChecker(model::TransitionTable& table, const model::SystemCut& start,
                       std::span<const NodeId> nodes)
    : table_(table),
      invariants_(table),
      nodes_(Sorted(nodes)),
      index_(start.nodes.size(), kNone),
      open_(invariants_.all()) {
  for (const NodeId node : nodes_) {
    index_[node.index()] = static_cast<uint32_t>(start_.size());
    start_.push_back(table_.InternState(node, start.nodes[node.index()]));
  }
}

InvariantSet CutChecker::CheckWithin(const Run& run) {
  const InvariantSet before = open_;
  for (size_t i = 0; i < invariants_.count(); ++i) {
    const Scope scope = invariants_.info(i).scope;
    if (!IsOpen(i) || scope == Scope::kSystem) continue;
    chains_ = Chains(run, i);
    if (scope == Scope::kNode) {
      CheckNodes(run, i);
    } else {
      CheckPairs(run, i);
    }
  }
  return before & ~open_;
}

bool CutChecker::Check(const Run& run, model::Budget& budget) {
  if (!budget.TakeStep()) return false;
  CheckWithin(run);
  for (size_t i = 0; i < invariants_.count(); ++i) {
    if (!IsOpen(i) || invariants_.info(i).scope != Scope::kSystem) continue;
    chains_ = Chains(run, i);
    if (!CheckSystem(run, i, budget)) return false;
  }
  return true;
}

std::vector<CutChecker::Chain> CutChecker::Chains(const Run& run, size_t invariant) {
  std::vector<Chain> chains(nodes_.size());
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const uint32_t signature = invariants_.Signature(nodes_[n], start_[n]);
    chains[n].push_back({kNone, invariants_.Key(invariant, signature)});
  }
  for (uint32_t position = 0; position < run.size(); ++position) {
    const Transition& transition = run.at(position);
    if (transition.before == transition.after) continue;
    const NodeId node = transition.candidate.node;
    const auto key = invariants_.Key(invariant, invariants_.Signature(node, transition.after));
    Chain& chain = chains[index_[node.index()]];
    if (key != chain.back().key) chain.push_back({position, key});
  }
  return chains;
}

void CutChecker::CheckNodes(const Run& run, size_t invariant) {
  for (const Chain& chain : chains_) {
    for (const Change& change : chain) {
      if (!change.key || !invariants_.Violates(invariant, std::span(&change.key, 1))) continue;
      AddFinding(run, invariant, std::span(&change.position, 1));
      return;
    }
  }
}

// True iff a cut has node a at its i-th change and node b at its j-th: neither needs the other to
// be further.
bool CutChecker::Consistent(const Run& run, const Chain& a, size_t i, const Chain& b,
                            size_t j) const {
  const auto needs = [&](const Change& change, const Chain& other, size_t at) {
    return change.position != kNone && at + 1 < other.size() &&
           run.at(change.position).past.Test(other[at + 1].position);
  };
  return !needs(a[i], b, j) && !needs(b[j], a, i);
}

void CutChecker::CheckPairs(const Run& run, size_t invariant) {
  for (size_t a = 0; a < chains_.size(); ++a) {
    for (size_t b = a + 1; b < chains_.size(); ++b) {
      for (size_t i = 0; i < chains_[a].size(); ++i) {
        for (size_t j = 0; j < chains_[b].size(); ++j) {
          const std::optional<KeyId> keys[] = {chains_[a][i].key, chains_[b][j].key};
          if (!keys[0] || !keys[1] || !Consistent(run, chains_[a], i, chains_[b], j)) continue;
          if (!invariants_.Violates(invariant, keys)) continue;
          const uint32_t last[] = {chains_[a][i].position, chains_[b][j].position};
          AddFinding(run, invariant, last);
          return;
        }
      }
    }
  }
}

// Tries every combination of changes that a cut can have, node by node. False if the budget is
// spent.
bool CutChecker::CheckSystem(const Run& run, size_t invariant, model::Budget& budget) {
  std::vector<size_t> at;
  std::vector<std::optional<KeyId>> keys(chains_.size());
  at.push_back(0);
  while (!at.empty()) {
    const size_t node = at.size() - 1;
    if (at.back() == chains_[node].size()) {
      at.pop_back();
      if (!at.empty()) ++at.back();
      continue;
    }
    bool consistent = true;
    for (size_t n = 0; n < node && consistent; ++n) {
      consistent = Consistent(run, chains_[n], at[n], chains_[node], at[node]);
    }
    if (consistent && at.size() < chains_.size()) {
      at.push_back(0);
      continue;
    }
    if (!budget.TakeStep()) return false;
    for (size_t n = 0; n < chains_.size() && consistent; ++n) keys[n] = chains_[n][at[n]].key;
    if (consistent && invariants_.Violates(invariant, keys)) {
      std::vector<uint32_t> last;
      for (size_t n = 0; n < chains_.size(); ++n) last.push_back(chains_[n][at[n]].position);
      AddFinding(run, invariant, last);
      return true;
    }
    ++at.back();
  }
  return true;
}

// Adds a finding whose path is the smallest cut that has all of `last`, in the order of the run.
void CutChecker::AddFinding(const Run& run, size_t invariant, std::span<const uint32_t> last) {
  Positions cut;
  for (const uint32_t position : last) {
    if (position == kNone) continue;
    cut.UnionWith(run.at(position).past);
    cut.Set(position);
  }
  model::Path path;
  cut.ForEach([&](size_t position) {
    const Transition& transition = run.at(static_cast<uint32_t>(position));
    const NodeId node = transition.candidate.node;
    const auto steps = table_.Successors(node, transition.before, transition.candidate.event);
    path.push_back(table_.PathStepOf(node, transition.candidate.event, steps[transition.outcome]));
  });
  findings_.emplace_back(invariant, std::move(path));
  open_ &= ~(InvariantSet{1} << invariant);
}

}  // namespace foretell::dir
