#include "foretell/search/naive_liveness.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {
namespace {

using model::NodeId;
using model::PathStep;
using model::PlainSystem;
using model::Service;
using model::SystemCut;

bool Holds(const Service& service, size_t property, const SystemCut& cut) {
  for (const model::NodeState& node : cut.nodes) {
    if (node.status == model::NodeStatus::kFailed) return false;
  }
  return PlainSystem(service, cut).Culprits(service.invariants()[property].name).empty();
}

bool CanBeCountedOn(const Service& service, const SystemCut& cut, const PathStep& step,
                    model::CountOn count_on) {
  if (!CountsOn(count_on, HelpOf(service, step.event))) return false;
  const model::HandlerResult result = service.Run(step.node, cut.nodes[step.node.index()].body,
                                                  std::span(&step.event, 1), step.choices);
  return std::count(result.choice_weights.begin(), result.choice_weights.end(), 0u) == 0;
}

// The words of CriticalKind::event.
std::string KindOf(const Service& service, const model::Event& event) {
  const std::string name = model::KindName(event.kind);
  if (event.kind == model::EventKind::kDeliver) {
    const std::vector<std::string> kinds = service.message_kinds();
    return absl::StrCat(name, " ", kinds.empty() ? "" : kinds[service.MessageKind(event.body)]);
  }
  if (event.kind == model::EventKind::kAction) {
    const std::vector<std::string> kinds = service.action_kinds();
    return absl::StrCat(name, " ", kinds.empty() ? "" : kinds[service.ActionKind(event.body)]);
  }
  return name;
}

// Loses copies of what was `sent` beyond the cap. True if there were any.
bool LoseBeyond(uint32_t copies_max, uint32_t copies_each, const std::vector<model::Message>& sent,
                SystemCut& cut) {
  bool lost = false;
  for (const model::Message& message : std::set<model::Message>(sent.begin(), sent.end())) {
    const auto total = std::count(cut.in_flight.begin(), cut.in_flight.end(), message);
    const auto added = std::count(sent.begin(), sent.end(), message) * copies_each;
    const auto kept =
        std::max<std::ptrdiff_t>(total - added, std::min<std::ptrdiff_t>(total, copies_max));
    for (auto left = total - kept; left > 0; --left, lost = true) {
      cut.in_flight.erase(std::find(cut.in_flight.begin(), cut.in_flight.end(), message));
    }
  }
  return lost;
}

struct Edge {
  size_t from = 0;
  size_t to = 0;
  PathStep step;
  bool helps = false;
};

// States by number, in the order of a breadth-first search from all roots together.
class Graph {
 public:
  Graph(const Service& service, size_t property, const NaiveLivenessOptions& options,
        bool only_what_helps)
      : service_(service),
        property_(property),
        options_(options),
        only_what_helps_(only_what_helps) {}

  size_t Add(const SystemCut& cut, std::optional<size_t> by = std::nullopt) {
    const SystemCut canonical = PlainSystem(service_, cut).Canonical();
    const auto [entry, fresh] = numbers_.emplace(canonical, states_.size());
    if (fresh) {
      states_.push_back(&entry->first);
      by_.push_back(by);
    }
    return entry->second;
  }

  void Close() {
    while (expanded_ < states_.size() && states_.size() <= options_.states_max) {
      Expand(expanded_++);
    }
    // What was not explored counts as alive, so that nobody is called dead for want of states.
    alive_.assign(states_.size(), true);
    for (size_t s = 0; s < expanded_; ++s) {
      alive_[s] = Holds(service_, property_, *states_[s]);
      live_ += alive_[s] ? 1 : 0;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t e = edges_.size(); e-- > 0;) {
        const Edge& edge = edges_[e];
        if (!edge.helps || !alive_[edge.to] || alive_[edge.from]) continue;
        changed = alive_[edge.from] = true;
      }
    }
  }

  const std::vector<const SystemCut*>& states() const { return states_; }
  const std::vector<Edge>& edges() const { return edges_; }
  bool alive(size_t state) const { return alive_[state]; }
  bool finished() const { return expanded_ == states_.size(); }
  uint64_t live() const { return live_; }
  uint64_t capped() const { return capped_; }

  model::Path PathTo(size_t state) const {
    model::Path path;
    for (std::optional<size_t> by = by_[state]; by; by = by_[edges_[*by].from]) {
      path.push_back(edges_[*by].step);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  void Expand(size_t state) {
    const model::Network network = service_.network();
    const PlainSystem here(service_, *states_[state]);
    for (const PathStep& step : here.Enabled()) {
      const bool helps = CanBeCountedOn(service_, *states_[state], step, options_.count_on);
      if (only_what_helps_ && !helps) continue;
      PlainSystem next = here;
      const absl::StatusOr<model::StepEffect> effect = next.Apply(step);
      FORETELL_CHECK(effect.ok());
      SystemCut cut = next.state();
      if (network.kind == model::NetworkKind::kDatagrams && options_.copies_max > 0 &&
          LoseBeyond(options_.copies_max, 1 + network.duplicates_max, effect->sent, cut)) {
        ++capped_;
      }
      const size_t to = Add(cut, edges_.size());
      edges_.push_back({state, to, step, helps});
    }
  }

  const Service& service_;
  const size_t property_;
  const NaiveLivenessOptions& options_;
  const bool only_what_helps_;
  std::map<SystemCut, size_t> numbers_;
  std::vector<const SystemCut*> states_;   // Keys of the map, which stay where they are.
  std::vector<std::optional<size_t>> by_;  // The edge by which it was first reached.
  std::vector<Edge> edges_;
  size_t expanded_ = 0;
  std::vector<bool> alive_;
  uint64_t live_ = 0;
  uint64_t capped_ = 0;
};

// Edges are in the order in which their origins were reached: the first of a kind has a shortest
// path, and kinds come in the order of those.
std::vector<model::CriticalKind> CriticalKinds(const Service& service, const Graph& graph) {
  std::vector<model::CriticalKind> kinds;
  for (const Edge& edge : graph.edges()) {
    if (!graph.alive(edge.from) || graph.alive(edge.to)) continue;
    const std::string event = KindOf(service, edge.step.event);
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const model::CriticalKind& known) {
      return known.node == edge.step.node && known.event == event;
    });
    if (kind == kinds.end()) {
      model::Path path = graph.PathTo(edge.from);
      path.push_back(edge.step);
      kind = kinds.insert(kinds.end(), {edge.step.node, event, 0, std::move(path)});
    }
    ++kind->transitions;
  }
  return kinds;
}

// Judges the nodes of every state of `space` with nothing in flight. More messages disable nothing
// and no predicate sees them, so that whoever is dead with messages is dead without.
void JudgeLoss(const Service& service, size_t property, const NaiveLivenessOptions& options,
               const Graph& space, NaiveLivenessResult& result) {
  Graph bare(service, property, options, /*only_what_helps=*/true);
  std::vector<size_t> roots;
  for (const SystemCut* state : space.states()) roots.push_back(bare.Add({state->nodes, {}}));
  result.system_states = std::set<size_t>(roots.begin(), roots.end()).size();
  bare.Close();
  for (size_t s = 0; s < roots.size(); ++s) {
    if (bare.alive(roots[s])) continue;
    if (result.dead_by_loss.empty()) result.to_dead_by_loss = space.PathTo(s);
    result.dead_by_loss.insert(*bare.states()[roots[s]]);
  }
  result.finished = result.finished && bare.finished();
}

}  // namespace

NaiveLivenessResult NaiveLiveness(const Service& service, const SystemCut& start, size_t property,
                                  const NaiveLivenessOptions& options) {
  FORETELL_CHECK(!IsNeighbourhood(start));
  FORETELL_CHECK(property < service.invariants().size());
  Graph space(service, property, options, /*only_what_helps=*/false);
  space.Add(start);
  space.Close();
  NaiveLivenessResult result;
  result.states = space.states().size();
  result.transitions = space.edges().size();
  result.live = space.live();
  result.capped = space.capped();
  result.start_dead = !space.alive(0);
  result.finished = space.finished();
  for (size_t s = 0; s < result.states; ++s) {
    if (!space.alive(s)) result.dead.insert(*space.states()[s]);
  }
  result.kinds = CriticalKinds(service, space);
  if (service.network().kind == model::NetworkKind::kDatagrams) {
    JudgeLoss(service, property, options, space, result);
  }
  return result;
}

}  // namespace foretell::search
