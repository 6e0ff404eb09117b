#include "foretell/search/minimise/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace foretell::search {
namespace {

using Edge = LabelledGraph::Edge;

LabelledGraph MakeGraph(std::vector<uint32_t> observed, std::vector<std::vector<Edge>> edges) {
  LabelledGraph graph{.observed = std::move(observed), .first_edge = {0}, .edges = {}};
  for (const auto& own : edges) {
    graph.edges.insert(graph.edges.end(), own.begin(), own.end());
    graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
  }
  return graph;
}

std::vector<uint32_t> ClassesOf(const LabelledGraph& graph) {
  return CoarsestPartition(graph).value_or(std::vector<uint32_t>{});
}

TEST(PartitionTest, ALabelASightAndAWayOnTellStatesApart) {
  EXPECT_EQ(ClassesOf(MakeGraph({7, 7, 8}, {{}, {}, {}})), (std::vector<uint32_t>{0, 0, 1}));
  EXPECT_EQ(ClassesOf(MakeGraph({0, 0}, {{{1, 0, false}}, {{2, 1, false}}})),
            (std::vector<uint32_t>{0, 1}));
  // 0 and 1 differ only in what comes two edges later.
  EXPECT_EQ(ClassesOf(MakeGraph(
                {0, 0, 0, 0, 5},
                {{{1, 2, false}}, {{1, 3, false}}, {{1, 4, false}}, {{1, 0, false}}, {}})),
            (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(PartitionTest, LoopsOfAnyLengthAreOneClass) {
  EXPECT_EQ(ClassesOf(MakeGraph({0, 0, 0}, {{{1, 1, false}}, {{1, 0, false}}, {{1, 2, false}}})),
            (std::vector<uint32_t>{0, 0, 0}));
}

TEST(PartitionTest, AnIdleEdgeIsLikeNoneOnlyWithinItsClass) {
  EXPECT_EQ(ClassesOf(MakeGraph({0, 0}, {{{1, 1, true}}, {}})), (std::vector<uint32_t>{0, 0}));
  EXPECT_EQ(ClassesOf(MakeGraph({0, 0}, {{{1, 1, false}}, {}})), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(ClassesOf(MakeGraph({0, 0, 1}, {{{1, 2, true}}, {}, {}})),
            (std::vector<uint32_t>{0, 1, 2}));
}

// The judge: the largest relation in which states that are related have related edges, by pairs.
std::vector<std::vector<bool>> Alike(const LabelledGraph& graph) {
  const auto n = static_cast<uint32_t>(graph.size());
  std::vector<std::vector<bool>> alike(n, std::vector<bool>(n));
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) alike[a][b] = graph.observed[a] == graph.observed[b];
  }
  const auto matched = [&](uint32_t a, uint32_t b) {
    return std::ranges::all_of(graph.EdgesOf(a), [&](const Edge& edge) {
      if (edge.idle && alike[edge.to][a]) return true;
      return std::ranges::any_of(graph.EdgesOf(b), [&](const Edge& other) {
        return other.label == edge.label && alike[edge.to][other.to];
      });
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = 0; b < n; ++b) {
        if (!alike[a][b] || (matched(a, b) && matched(b, a))) continue;
        alike[a][b] = alike[b][a] = false;
        changed = true;
      }
    }
  }
  return alike;
}

TEST(PartitionTest, IsTheCoarsestOnRandomGraphs) {
  std::mt19937 random(1);
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  uint64_t merged = 0;
  for (int i = 0; i < 500; ++i) {
    const uint32_t n = 1 + below(12);
    std::vector<uint32_t> observed;
    std::vector<std::vector<Edge>> edges(n);
    for (uint32_t s = 0; s < n; ++s) {
      observed.push_back(below(6) == 0 ? 1 : 0);
      // A label is idle or it is not, wherever it stands.
      for (uint32_t label = 0; label < 3; ++label) {
        if (below(2) == 0) edges[s].push_back({label, below(n), label == 0});
      }
    }
    const LabelledGraph graph = MakeGraph(observed, edges);
    const auto alike = Alike(graph);
    const auto classes = ClassesOf(graph);
    ASSERT_EQ(classes.size(), n);
    for (uint32_t a = 0; a < n; ++a) {
      for (uint32_t b = 0; b < n; ++b) {
        ASSERT_EQ(classes[a] == classes[b], alike[a][b]) << "graph " << i;
        merged += a < b && alike[a][b] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(merged, 200u);  // Or the test says nothing.
}

}  // namespace
}  // namespace foretell::search
