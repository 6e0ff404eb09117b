#include "foretell/agent/sidecar/steering/guard_book.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/scope.h"

namespace foretell::agent {

using model::NodeId;
using model::Scope;
using snapshot::GuardStep;
using snapshot::GuardViews;

namespace {

constexpr uint64_t kWorldsMax = 4096;
constexpr size_t kQueueMax = 4096;  // No node of ours asks for so much at a time.

bool Contains(const std::vector<std::optional<std::string>>& keys,
              const std::optional<std::string>& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

GuardBook::GuardBook(const model::Service& service, Options options)
    : service_(service), options_(std::move(options)), nodes_(service.node_count()) {}

const model::InvariantInfo& GuardBook::Info(size_t i) const {
  return service_.invariants()[options_.invariants[i]];
}

bool GuardBook::Fits(const GuardViews& views) const {
  return !views.empty() && std::all_of(views.begin(), views.end(), [this](const auto& view) {
    return view.size() == options_.invariants.size();
  });
}

GuardBook::Decisions GuardBook::Joining(NodeId node) {
  Decisions decisions = Lost(node);
  nodes_[node.index()].joining = true;
  return decisions;
}

GuardBook::Decisions GuardBook::Joined(NodeId node, const snapshot::GuardJoined& joined) {
  if (!Fits(joined.views)) return Lost(node);
  Decisions decisions;
  Node& one = nodes_[node.index()];
  DropQueued(node.value(), 0, joined.step + 1, decisions);
  one.joining = false;
  one.joined = true;
  one.entries = {{joined.step, joined.views}};
  return Then(std::move(decisions));
}

GuardBook::Decisions GuardBook::Lost(NodeId node) {
  Decisions decisions;
  DropQueued(node.value(), 0, UINT64_MAX, decisions);
  nodes_[node.index()].joining = nodes_[node.index()].joined = false;
  return Then(std::move(decisions));
}

bool GuardBook::complete() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.joined; });
}

GuardBook::Decisions GuardBook::Ask(NodeId node, const GuardStep& step) {
  Decisions decisions;
  Node& one = nodes_[node.index()];
  if (!(one.joined || one.joining) || !Fits(step.views) || one.queue.size() >= kQueueMax) {
    // What it does from now on is not known any more.
    decisions = Lost(node);
    decisions.push_back({node, {.step = step.number}, step.event, ""});
    return decisions;
  }
  DropQueued(node.value(), step.base, step.number, decisions);
  one.queue.push_back(step);
  return Then(std::move(decisions));
}

GuardBook::Decisions GuardBook::Settled(NodeId node, const snapshot::GuardSettled& settled) {
  Decisions decisions;
  std::vector<Entry>& entries = nodes_[node.index()].entries;
  const bool found = std::any_of(entries.begin(), entries.end(),
                                 [&](const Entry& entry) { return entry.step == settled.at; });
  // A node that says what cannot be leaves all possibilities open.
  if (found) {
    std::erase_if(entries, [&](const Entry& entry) {
      return entry.step < settled.at || (entry.step > settled.at && entry.step <= settled.decided);
    });
  }
  DropQueued(node.value(), 0, settled.decided + 1, decisions);
  return Then(std::move(decisions));
}

GuardBook::Decisions GuardBook::Overdue(NodeId node, uint64_t step) {
  Decisions decisions;
  Node& one = nodes_[node.index()];
  // Before the node's own views are here there is nothing to refuse or to grant it by.
  if (!one.joined || one.queue.empty() || one.queue.front().number != step) return decisions;
  const auto base = std::find_if(one.entries.begin(), one.entries.end(), [&](const Entry& entry) {
    return entry.step == one.queue.front().base;
  });
  const Finding finding =
      base == one.entries.end() ? Finding{} : Judge(node.value(), one.queue.front(), *base);
  Answer(node.value(), finding.kind == Finding::Kind::kSafe ? nullptr : &finding, decisions);
  return Then(std::move(decisions));
}

void GuardBook::DropQueued(uint32_t node, uint64_t after, uint64_t before, Decisions& decisions) {
  std::erase_if(nodes_[node].queue, [&](const GuardStep& step) {
    if (step.number <= after || step.number >= before) return false;
    decisions.push_back({NodeId(node), {.step = step.number}, step.event, ""});
    return true;
  });
}

GuardBook::Decisions GuardBook::Then(Decisions decisions) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    while (nodes_[n].joined && !nodes_[n].queue.empty() && DecideFirst(n, decisions)) {
    }
  }
  return decisions;
}

bool GuardBook::DecideFirst(uint32_t node, Decisions& decisions) {
  Node& one = nodes_[node];
  const GuardStep& step = one.queue.front();
  // What came after the base was refused here or elsewhere, or the node would have gone on from it.
  std::erase_if(one.entries, [&](const Entry& entry) { return entry.step > step.base; });
  const auto base = std::find_if(one.entries.begin(), one.entries.end(),
                                 [&](const Entry& entry) { return entry.step == step.base; });
  if (base == one.entries.end()) {
    // It follows a step that was refused: the node has taken it back already.
    decisions.push_back({NodeId(node), {.step = step.number, .granted = false}, step.event, ""});
    one.queue.pop_front();
    return true;
  }
  const Finding finding = step.forced ? Finding{} : Judge(node, step, *base);
  if (finding.kind == Finding::Kind::kWait) return false;
  Answer(node, finding.kind == Finding::Kind::kBroken ? &finding : nullptr, decisions);
  return true;
}

void GuardBook::Answer(uint32_t node, const Finding* broken, Decisions& decisions) {
  Node& one = nodes_[node];
  GuardStep step = std::move(one.queue.front());
  one.queue.pop_front();
  Decision decision{NodeId(node), {.step = step.number}, step.event, ""};
  if (broken == nullptr) {
    ++granted_;
    one.entries.push_back({step.number, std::move(step.views)});
  } else {
    decision.answer.granted = false;
    decision.answer.decision = absl::StrCat(options_.decision_prefix, "g", ++refused_);
    decision.answer.invariant = Info(broken->invariant).name;
    decision.reason = ReasonOf(node, *broken);
  }
  decisions.push_back(std::move(decision));
}

std::string GuardBook::ReasonOf(uint32_t node, const Finding& finding) const {
  std::vector<uint32_t> others;
  for (const uint32_t n : finding.nodes) {
    if (n != node) others.push_back(n);
  }
  return absl::StrCat(
      "would break ", Info(finding.invariant).name,
      others.empty() ? "" : absl::StrCat(" with node ", absl::StrJoin(others, ", ")),
      finding.kind == Finding::Kind::kWait ? ", which has not said yet what it has done" : "");
}

void GuardBook::AddKeys(const GuardViews& views, size_t i, Keys& keys) {
  for (const snapshot::GuardView& view : views) {
    if (!Contains(keys, view[i])) keys.push_back(view[i]);
  }
}

GuardBook::Keys GuardBook::KeysOf(const GuardViews& views, size_t i) {
  Keys keys;
  AddKeys(views, i, keys);
  return keys;
}

bool GuardBook::Counts(const Node& node, size_t i) const {
  return node.joined || (!node.entries.empty() && Info(i).stable);
}

GuardBook::Keys GuardBook::Shown(uint32_t node, size_t i) const {
  Keys keys;
  if (!Counts(nodes_[node], i)) return keys;
  for (const Entry& entry : nodes_[node].entries) AddKeys(entry.views, i, keys);
  return keys;
}

template <class Visit>
bool GuardBook::ForEachWorld(uint32_t self, size_t i, Visit visit) const {
  Keys world(nodes_.size());
  if (Info(i).scope == Scope::kNode) return visit(world), true;
  std::vector<Keys> shown(nodes_.size());
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (n != self) shown[n] = Shown(n, i);
  }
  if (Info(i).scope == Scope::kPair) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      for (const auto& key : shown[n]) {
        world[n] = key;
        if (visit(world)) return true;
      }
      world[n].reset();
    }
    return true;
  }
  // All nodes together: where one is not known there is nothing to be judged.
  shown[self] = {std::nullopt};
  uint64_t count = 1;
  for (const Keys& keys : shown) count = std::min(count * keys.size(), kWorldsMax + 1);
  if (count > kWorldsMax) return false;
  for (uint64_t number = 0; number < count; ++number) {
    uint64_t rest = number;
    for (size_t n = 0; n < shown.size(); ++n) {
      world[n] = shown[n][rest % shown[n].size()];
      rest /= shown[n].size();
    }
    if (visit(world)) return true;
  }
  return true;
}

GuardBook::Finding GuardBook::JudgeOne(uint32_t self, const Keys& before, const Keys& after,
                                       size_t i) const {
  Finding finding;
  const auto broken = [&](Keys& world, const std::optional<std::string>& own) {
    world[self] = own;
    return model::FirstBroken(service_, options_.invariants[i], world, self);
  };
  const bool judged = ForEachWorld(self, i, [&](Keys world) {
    for (const auto& key : after) {
      if (Contains(before, key)) continue;
      std::vector<uint32_t> nodes = broken(world, key);
      if (nodes.empty()) continue;
      // What was broken before is not the fault of this step.
      if (std::any_of(before.begin(), before.end(),
                      [&](const auto& old) { return !broken(world, old).empty(); })) {
        continue;
      }
      const bool open = std::any_of(nodes.begin(), nodes.end(), [&](uint32_t n) {
        return n != self && nodes_[n].entries.size() > 1;
      });
      finding = {open ? Finding::Kind::kWait : Finding::Kind::kBroken, i, std::move(nodes)};
      // What cannot be helped by waiting is told at once.
      if (!open) return true;
    }
    return false;
  });
  if (!judged) ++unjudged_;
  return finding;
}

GuardBook::Finding GuardBook::Judge(uint32_t self, const GuardStep& step, const Entry& base) const {
  Finding worst;
  for (size_t i = 0; i < options_.invariants.size(); ++i) {
    Finding finding = JudgeOne(self, KeysOf(base.views, i), KeysOf(step.views, i), i);
    if (finding.kind > worst.kind) worst = std::move(finding);
  }
  return worst;
}

bool GuardBook::safe(size_t i) const {
  bool holds = true;
  bool judged = true;
  for (uint32_t n = 0; n < nodes_.size() && holds; ++n) {
    for (const auto& key : Shown(n, i)) {
      judged &= ForEachWorld(n, i, [&](Keys world) {
        world[n] = key;
        holds = holds && model::FirstBroken(service_, options_.invariants[i], world, n).empty();
        return !holds;
      });
    }
  }
  return judged && holds;
}

std::vector<uint32_t> GuardBook::Broken(size_t i) const {
  Keys keys(nodes_.size());
  bool all = true;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    all = all && nodes_[n].joined;
    if (nodes_[n].joined) keys[n] = nodes_[n].entries.back().views.front()[i];
  }
  if (!all && model::NeedsEveryNode(Info(i).scope)) return {};
  return model::FirstBroken(service_, options_.invariants[i], keys);
}

}  // namespace foretell::agent
