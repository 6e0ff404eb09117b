#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace foretell::search {

// A graph of numbered states with labelled edges, to be divided into classes.
struct LabelledGraph {
  struct Edge {
    uint32_t label;
    uint32_t to;
    // It says nothing if it stays in its class: a state that has it is like one that has not.
    bool idle;
  };
  std::vector<uint32_t> observed;    // By state: what can be seen of it.
  std::vector<uint32_t> first_edge;  // By state, and one more: where its edges begin.
  std::vector<Edge> edges;

  size_t size() const { return observed.size(); }
  std::span<const Edge> EdgesOf(uint32_t state) const {
    return {edges.data() + first_edge[state], edges.data() + first_edge[state + 1]};
  }
};

// The coarsest division such that states of one class look the same, and each has the edges of any
// other, to the same classes, idle ones aside. Returns the class of each state; classes are
// numbered in the order of their first states. Exact: what hashes suggest is checked edge by edge,
// and nothing is returned if two classes were taken for one.
std::optional<std::vector<uint32_t>> CoarsestPartition(const LabelledGraph& graph);

}  // namespace foretell::search
