#include "foretell/search/minimise/partition.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/check.h"

namespace foretell::search {
namespace {

using Classes = std::vector<uint32_t>;

uint64_t Mix(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 + b;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
  hash = (hash ^ hash >> 29) * 0x94d049bb133111eb;
  return hash ^ hash >> 32;
}

// Whether the edge counts, classes being what they are.
bool Tells(const LabelledGraph::Edge& edge, uint32_t own, const Classes& classes) {
  return !edge.idle || classes[edge.to] != own;
}

// The order of edges is not part of it: a sum, of terms that are well mixed.
uint64_t HashOf(const LabelledGraph& graph, uint32_t state, const Classes& classes) {
  const uint32_t own = classes[state];
  uint64_t hash = Mix(own, 0);
  for (const LabelledGraph::Edge& edge : graph.EdgesOf(state)) {
    if (Tells(edge, own, classes)) hash += Mix(edge.label, uint64_t{classes[edge.to]} + 1);
  }
  return hash;
}

// Numbers `keys` in the order in which they come. Returns how many differ.
size_t Number(std::span<const uint64_t> keys, Classes& classes) {
  absl::flat_hash_map<uint64_t, uint32_t> numbers;
  numbers.reserve(keys.size());
  for (size_t state = 0; state < keys.size(); ++state) {
    classes[state] =
        numbers.try_emplace(keys[state], static_cast<uint32_t>(numbers.size())).first->second;
  }
  return numbers.size();
}

std::vector<std::pair<uint32_t, uint32_t>> TellingEdges(const LabelledGraph& graph, uint32_t state,
                                                        const Classes& classes) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const LabelledGraph::Edge& edge : graph.EdgesOf(state)) {
    if (Tells(edge, classes[state], classes)) edges.emplace_back(edge.label, classes[edge.to]);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Whether each state is like the first of its class, edge by edge.
bool Agrees(const LabelledGraph& graph, const Classes& classes) {
  std::vector<uint32_t> first;
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> edges;
  for (uint32_t state = 0; state < graph.size(); ++state) {
    auto own = TellingEdges(graph, state, classes);
    if (classes[state] == first.size()) {
      first.push_back(state);
      edges.push_back(std::move(own));
      continue;
    }
    if (graph.observed[state] != graph.observed[first[classes[state]]]) return false;
    if (own != edges[classes[state]]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<uint32_t>> CoarsestPartition(const LabelledGraph& graph) {
  FORETELL_CHECK(graph.first_edge.size() == graph.size() + 1);
  std::vector<uint64_t> keys(graph.observed.begin(), graph.observed.end());
  Classes classes(graph.size());
  size_t count = Number(keys, classes);
  for (size_t before = 0; before < count;) {
    before = count;
    for (uint32_t state = 0; state < graph.size(); ++state) {
      keys[state] = HashOf(graph, state, classes);
    }
    count = Number(keys, classes);
  }
  if (!Agrees(graph, classes)) return std::nullopt;
  return classes;
}

}  // namespace foretell::search
