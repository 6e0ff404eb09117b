#include "foretell/search/fairness/fair_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::search {
namespace {

bool Has(std::span<const uint32_t> numbers, uint32_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

uint32_t FairGraph::AddPromise(Promise promise) {
  promises_.push_back(promise);
  return static_cast<uint32_t>(promises_.size() - 1);
}

void FairGraph::AddVertex(std::span<const uint32_t> asks) {
  first_edge_.push_back(static_cast<uint32_t>(edges_.size()));
  vertex_asks_.Add(asks);
}

void FairGraph::AddEdge(uint32_t to, std::span<const uint32_t> asks,
                        std::span<const uint32_t> answers) {
  FORETELL_CHECK(!first_edge_.empty());
  edges_.push_back({vertex_count() - 1, to});
  edge_asks_.Add(asks);
  edge_answers_.Add(answers);
}

uint32_t FairGraph::FirstEdge(uint32_t vertex) const {
  return vertex < vertex_count() ? first_edge_[vertex] : static_cast<uint32_t>(edges_.size());
}

bool FairGraph::Inside(uint32_t edge) const {
  const auto [from, to] = edges_[edge];
  return !dropped_[edge] && part_[from] != 0 && part_[from] == part_[to];
}

std::optional<std::vector<uint32_t>> FairGraph::FindCycle(model::Budget& budget) {
  FORETELL_CHECK(parts_ == 0);
  dropped_.assign(edges_.size(), false);
  part_.assign(vertex_count(), ++parts_);
  Numbers all(vertex_count());
  std::iota(all.begin(), all.end(), 0);
  Components components(vertex_count());
  Divide(all, components);
  while (!waiting_.empty()) {
    const Numbers vertices = std::move(waiting_.extract(waiting_.begin()).mapped());
    for (size_t i = 0; i < vertices.size(); ++i) {
      if (!budget.TakeStep()) return std::nullopt;
    }
    const Numbers edges = EdgesInside(vertices);
    const Numbers broken = Broken(vertices, edges);
    if (broken.empty()) return Walk(vertices);
    if (TakeApart(vertices, edges, broken)) Divide(vertices, components);
  }
  return std::nullopt;
}

// Puts the components of a part, as far as there are edges in them, among those that wait.
void FairGraph::Divide(const Numbers& vertices, Components& components) {
  Numbers left = vertices;
  std::erase_if(left, [this](uint32_t vertex) { return part_[vertex] == 0; });
  std::vector<Numbers> found;
  components.Find(
      left, [this](uint32_t vertex) { return FirstEdge(vertex); },
      [this](uint32_t edge) { return Inside(edge) ? edges_[edge].to : Components::kNone; },
      [&](Numbers component) { found.push_back(std::move(component)); });
  for (Numbers& component : found) {
    ++parts_;
    for (const uint32_t vertex : component) part_[vertex] = parts_;
  }
  for (Numbers& component : found) {
    std::sort(component.begin(), component.end());
    if (component.size() > 1 || !EdgesInside(component).empty()) {
      waiting_.emplace(component.front(), std::move(component));
    }
  }
}

FairGraph::Numbers FairGraph::EdgesInside(const Numbers& vertices) const {
  Numbers inside;
  for (const uint32_t vertex : vertices) {
    for (uint32_t edge = FirstEdge(vertex); edge < FirstEdge(vertex + 1); ++edge) {
      if (Inside(edge)) inside.push_back(edge);
    }
  }
  return inside;
}

// The promises that are not kept by a way that goes through just these for ever.
FairGraph::Numbers FairGraph::Broken(const Numbers& vertices, const Numbers& edges) const {
  std::map<uint32_t, Tally> tallies;
  for (const uint32_t vertex : vertices) {
    for (const uint32_t promise : vertex_asks_.at(vertex)) ++tallies[promise].asking;
  }
  for (const uint32_t edge : edges) {
    for (const uint32_t promise : edge_asks_.at(edge)) tallies[promise].asked = true;
    for (const uint32_t promise : edge_answers_.at(edge)) tallies[promise].answered = true;
  }
  Numbers broken;
  for (const auto& [promise, tally] : tallies) {
    const bool asked = promises_[promise] == Promise::kWeak ? tally.asking == vertices.size()
                                                            : tally.asking > 0 || tally.asked;
    if (asked && !tally.answered) broken.push_back(promise);
  }
  return broken;
}

// Drops what asks for promises that are broken. False if nothing can be left: of a weak promise
// that all vertices ask for, all parts of them do.
bool FairGraph::TakeApart(const Numbers& vertices, const Numbers& edges, const Numbers& broken) {
  const auto asks_in_vain = [&](std::span<const uint32_t> asks) {
    return std::any_of(asks.begin(), asks.end(), [&](uint32_t promise) {
      return std::binary_search(broken.begin(), broken.end(), promise);
    });
  };
  for (const uint32_t promise : broken) {
    if (promises_[promise] == Promise::kWeak) return false;
  }
  for (const uint32_t edge : edges) {
    if (asks_in_vain(edge_asks_.at(edge))) dropped_[edge] = true;
  }
  for (const uint32_t vertex : vertices) {
    if (asks_in_vain(vertex_asks_.at(vertex))) part_[vertex] = 0;
  }
  return true;
}

// Goes on by a shortest way inside the component whose last edge is one that is wanted.
// REQUIRES: there is one.
template <class Goal>
void FairGraph::Extend(uint32_t from, const Goal& goal, Numbers& way) const {
  std::map<uint32_t, uint32_t> by;  // Vertex: the edge by which it was first reached.
  Numbers queue = {from};
  for (size_t next = 0; next < queue.size(); ++next) {
    const uint32_t vertex = queue[next];
    for (uint32_t edge = FirstEdge(vertex); edge < FirstEdge(vertex + 1); ++edge) {
      if (!Inside(edge)) continue;
      if (goal(edge)) {
        const size_t begin = way.size();
        way.push_back(edge);
        for (uint32_t at = vertex; at != from; at = edges_[by[at]].from) way.push_back(by[at]);
        std::reverse(way.begin() + static_cast<std::ptrdiff_t>(begin), way.end());
        return;
      }
      const uint32_t to = edges_[edge].to;
      if (to != from && by.emplace(to, edge).second) queue.push_back(to);
    }
  }
  FORETELL_CHECK(false);
}

// One closed way through a component that keeps all promises: the shortest from its least vertex
// and back, and detours to where a promise is answered, or not asked for, while some is broken.
FairGraph::Numbers FairGraph::Walk(const Numbers& vertices) const {
  const uint32_t root = vertices.front();
  Numbers way;
  for (uint32_t at = root;; at = edges_[way.back()].to) {
    Numbers closed = way;
    if (way.empty() || at != root) {
      Extend(
          at, [&](uint32_t edge) { return edges_[edge].to == root; }, closed);
    }
    Numbers visited;
    for (const uint32_t edge : closed) visited.push_back(edges_[edge].from);
    std::sort(visited.begin(), visited.end());
    visited.erase(std::unique(visited.begin(), visited.end()), visited.end());
    const Numbers broken = Broken(visited, closed);
    if (broken.empty()) return closed;
    const uint32_t promise = broken.front();
    const bool weak = promises_[promise] == Promise::kWeak;
    const auto helps = [&](uint32_t edge) {
      return Has(edge_answers_.at(edge), promise) ||
             (weak && !Has(vertex_asks_.at(edges_[edge].to), promise));
    };
    Extend(at, helps, way);
  }
}

uint64_t FairGraph::bytes() const {
  return edges_.capacity() * sizeof(Edge) + first_edge_.capacity() * sizeof(uint32_t) +
         vertex_asks_.bytes() + edge_asks_.bytes() + edge_answers_.bytes();
}

}  // namespace foretell::search
