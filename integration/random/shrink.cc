#include "foretell/integration/random/shrink.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace foretell::integration {
namespace {

using Spec = RandomServiceSpec;

template <class T>
void Drop(std::vector<T>& values, size_t first, size_t count = 1) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  values.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, values.size() - first)));
}

// Removes a node and all that mentions it; later nodes move up by one.
void DropNode(Spec& spec, size_t node) {
  const auto renumber = [node](uint8_t& n) {
    if (n > node) --n;
  };
  Drop(spec.nodes, node);
  std::erase_if(spec.in_flight,
                [&](const FlightSpec& f) { return f.from == node || f.to == node; });
  for (FlightSpec& flight : spec.in_flight) {
    renumber(flight.from);
    renumber(flight.to);
  }
  std::erase_if(spec.rules, [&](const RuleSpec& rule) { return rule.node == node; });
  for (RuleSpec& rule : spec.rules) {
    renumber(rule.node);
    for (BranchSpec& branch : rule.branches) {
      std::erase_if(branch.sends, [&](const SendSpec& send) { return send.to == node; });
      for (SendSpec& send : branch.sends) {
        if (send.to) renumber(*send.to);
      }
    }
  }
  for (InvariantSpec& invariant : spec.invariants) {
    if (invariant.scope != model::Scope::kSystem) continue;
    for (auto& combination : invariant.bad) Drop(combination, node);
  }
}

void ShrinkParts(const Spec& spec, std::vector<SpecEdit>& edits) {
  for (size_t n = 0; n < spec.nodes.size() && spec.nodes.size() > 1; ++n) {
    edits.push_back([n](Spec& s) { DropNode(s, n); });
  }
  for (size_t i = 0; i < spec.invariants.size(); ++i) {
    edits.push_back([i](Spec& s) { Drop(s.invariants, i); });
  }
  for (size_t chunk = (spec.rules.size() + 1) / 2; chunk > 0; chunk /= 2) {
    for (size_t i = 0; i < spec.rules.size(); i += chunk) {
      edits.push_back([i, chunk](Spec& s) { Drop(s.rules, i, chunk); });
    }
  }
  for (size_t i = 0; i < spec.in_flight.size(); ++i) {
    edits.push_back([i](Spec& s) { Drop(s.in_flight, i); });
  }
}

void ShrinkNetwork(const Spec& spec, std::vector<SpecEdit>& edits) {
  if (spec.duplicates_max > 0) edits.push_back([](Spec& s) { s.duplicates_max = 0; });
  if (spec.network == model::NetworkKind::kStreams) {
    edits.push_back([](Spec& s) { s.network = model::NetworkKind::kDatagrams; });
  }
  if (spec.energy_max > 1) {
    edits.push_back([](Spec& s) {
      --s.energy_max;
      for (NodeSpec& node : s.nodes) {
        node.initial.left = std::min(node.initial.left, s.energy_max);
        node.start.left = std::min(node.start.left, s.energy_max);
      }
    });
  }
}

void ShrinkNode(const NodeSpec& node, size_t n, std::vector<SpecEdit>& edits) {
  if (node.status != model::NodeStatus::kUp) {
    edits.push_back([n](Spec& s) { s.nodes[n].status = model::NodeStatus::kUp; });
  }
  for (const model::FaultKindInfo& fault : model::kFaults) {
    const bool is_down = fault.stops && node.status == model::NodeStatus::kDown;
    if (node.budget[fault.kind] == 0 || is_down) continue;
    edits.push_back(
        [n, &fault](Spec& s) { s.nodes[n].budget.*fault.max = s.nodes[n].faults[fault.kind] = 0; });
  }
  if (node.start.value != node.initial.value || node.start.left != node.initial.left ||
      node.start.chosen != node.initial.chosen) {
    edits.push_back([n](Spec& s) { s.nodes[n].start = s.nodes[n].initial; });
  }
}

void ShrinkBranch(const RuleSpec& rule, size_t r, size_t b, std::vector<SpecEdit>& edits) {
  const BranchSpec& branch = rule.branches[b];
  for (size_t i = 0; i < branch.sends.size(); ++i) {
    edits.push_back([=](Spec& s) { Drop(s.rules[r].branches[b].sends, i); });
  }
  if (branch.failure != Failure::kNone) {
    edits.push_back([=](Spec& s) { s.rules[r].branches[b].failure = Failure::kNone; });
  }
  if (branch.choose != 0) {
    edits.push_back([=](Spec& s) { s.rules[r].branches[b].choose = 0; });
  }
  if (branch.next != rule.at) {
    edits.push_back([=](Spec& s) { s.rules[r].branches[b].next = s.rules[r].at; });
  }
}

void ShrinkInvariant(const InvariantSpec& invariant, size_t i, std::vector<SpecEdit>& edits) {
  for (size_t b = 0; b < invariant.bad.size(); ++b) {
    edits.push_back([=](Spec& s) { Drop(s.invariants[i].bad, b); });
    if (invariant.scope != model::Scope::kSystem) continue;
    for (size_t k = 0; k < invariant.bad[b].size(); ++k) {
      if (invariant.bad[b][k] == kAnyKey) continue;
      edits.push_back([=](Spec& s) { s.invariants[i].bad[b][k] = kAnyKey; });
    }
  }
  for (size_t k = 0; k < invariant.keys.size(); ++k) {
    if (!invariant.keys[k]) continue;
    edits.push_back([=](Spec& s) { s.invariants[i].keys[k] = std::nullopt; });
  }
}

}  // namespace

std::vector<SpecEdit> Shrinks(const RandomServiceSpec& spec) {
  std::vector<SpecEdit> edits;
  ShrinkParts(spec, edits);
  ShrinkNetwork(spec, edits);
  for (size_t n = 0; n < spec.nodes.size(); ++n) ShrinkNode(spec.nodes[n], n, edits);
  for (size_t r = 0; r < spec.rules.size(); ++r) {
    const RuleSpec& rule = spec.rules[r];
    for (size_t b = 0; b < rule.branches.size(); ++b) {
      if (rule.branches.size() > 1) {
        edits.push_back([=](Spec& s) { Drop(s.rules[r].branches, b); });
      }
      ShrinkBranch(rule, r, b, edits);
    }
  }
  for (size_t i = 0; i < spec.invariants.size(); ++i) {
    ShrinkInvariant(spec.invariants[i], i, edits);
  }
  return edits;
}

RandomServiceSpec Minimise(RandomServiceSpec spec,
                           const std::function<bool(const RandomServiceSpec&)>& interesting,
                           uint64_t attempts_max) {
  // After a success the same index names the next thing of the same sort, so one pass tries
  // everything once; passes go on until one changes nothing.
  uint64_t attempts = 0;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<SpecEdit> edits = Shrinks(spec);
    for (size_t i = 0; i < edits.size() && attempts < attempts_max; ++attempts) {
      RandomServiceSpec smaller = spec;
      edits[i](smaller);
      if (!interesting(smaller)) {
        ++i;
        continue;
      }
      spec = std::move(smaller);
      edits = Shrinks(spec);
      changed = true;
    }
  }
  return spec;
}

}  // namespace foretell::integration
