#include "foretell/search/fairness/fair_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace foretell::search {
namespace {

using Promise = FairGraph::Promise;
using Numbers = std::vector<uint32_t>;

struct Edge {
  uint32_t from;
  uint32_t to;
  Numbers asks;
  Numbers answers;
};

// A graph as data: what FairGraph is made from, and what the judge below looks at.
struct Plan {
  std::vector<Promise> promises;
  std::vector<Numbers> vertices;  // What each asks for.
  std::vector<Edge> edges;        // By `from`.
};

std::optional<Numbers> FindCycle(const Plan& plan) {
  FairGraph graph;
  for (const Promise promise : plan.promises) graph.AddPromise(promise);
  for (uint32_t v = 0; v < plan.vertices.size(); ++v) {
    graph.AddVertex(plan.vertices[v]);
    for (const Edge& edge : plan.edges) {
      if (edge.from == v) graph.AddEdge(edge.to, edge.asks, edge.answers);
    }
  }
  model::Budget budget = model::Budget::Unlimited();
  return graph.FindCycle(budget);
}

bool Has(const Numbers& numbers, uint32_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// Whether a way that goes through just these edges for ever keeps all promises.
bool IsFair(const Plan& plan, const std::vector<const Edge*>& edges) {
  for (uint32_t p = 0; p < plan.promises.size(); ++p) {
    bool answered = false;
    bool somewhere = false;
    bool everywhere = true;
    for (const Edge* edge : edges) {
      answered |= Has(edge->answers, p);
      somewhere |= Has(edge->asks, p) || Has(plan.vertices[edge->from], p);
      everywhere &= Has(plan.vertices[edge->from], p);
    }
    const bool asked = plan.promises[p] == Promise::kWeak ? everywhere : somewhere;
    if (asked && !answered) return false;
  }
  return true;
}

// Whether there is a way round that takes all of these edges and no other.
bool IsClosed(const std::vector<const Edge*>& edges) {
  for (const Edge* first : edges) {
    std::set<uint32_t> reached = {first->to};
    for (bool grew = true; grew;) {
      grew = false;
      for (const Edge* edge : edges) {
        if (reached.contains(edge->from)) grew |= reached.insert(edge->to).second;
      }
    }
    for (const Edge* edge : edges) {
      if (!reached.contains(edge->from)) return false;
    }
  }
  return !edges.empty();
}

// All sets of edges, one after the other.
bool HasFairCycle(const Plan& plan) {
  for (uint32_t set = 1; set < 1u << plan.edges.size(); ++set) {
    std::vector<const Edge*> edges;
    for (size_t e = 0; e < plan.edges.size(); ++e) {
      if ((set >> e & 1) != 0) edges.push_back(&plan.edges[e]);
    }
    if (IsFair(plan, edges) && IsClosed(edges)) return true;
  }
  return false;
}

Plan RandomPlan(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t count) { return static_cast<uint32_t>(random() % count); };
  Plan plan;
  const uint32_t promises = below(4);
  for (uint32_t p = 0; p < promises; ++p) {
    plan.promises.push_back(below(2) == 0 ? Promise::kWeak : Promise::kStrong);
  }
  plan.vertices.resize(1 + below(5));
  for (Numbers& asks : plan.vertices) {
    for (uint32_t p = 0; p < promises; ++p) {
      if (below(2) == 0) asks.push_back(p);
    }
  }
  const uint32_t edges = below(10);
  const auto vertices = plan.vertices.size();
  for (uint32_t e = 0; e < edges; ++e) {
    Edge edge{below(vertices), below(vertices), {}, {}};
    for (uint32_t p = 0; p < promises; ++p) {
      if (plan.promises[p] == Promise::kStrong && below(4) == 0) edge.asks.push_back(p);
      if (below(4) == 0) edge.answers.push_back(p);
    }
    plan.edges.push_back(edge);
  }
  std::stable_sort(plan.edges.begin(), plan.edges.end(),
                   [](const Edge& a, const Edge& b) { return a.from < b.from; });
  return plan;
}

TEST(FairGraphTest, FindsACycleIffSomeSetOfEdgesIsOne) {
  uint32_t fair = 0;
  constexpr uint32_t kGraphs = 3'000;
  for (uint64_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE(seed);
    const Plan plan = RandomPlan(seed);
    const std::optional<Numbers> cycle = FindCycle(plan);
    ASSERT_EQ(cycle.has_value(), HasFairCycle(plan));
    if (!cycle) continue;
    ++fair;
    std::vector<const Edge*> edges;
    for (const uint32_t e : *cycle) edges.push_back(&plan.edges[e]);
    for (size_t i = 0; i < edges.size(); ++i) {
      ASSERT_EQ(edges[i]->to, edges[(i + 1) % edges.size()]->from);
    }
    ASSERT_TRUE(IsFair(plan, edges));
  }
  EXPECT_GT(fair, kGraphs / 10);
  EXPECT_LT(fair, kGraphs - kGraphs / 10);
}

TEST(FairGraphTest, AWeakPromiseIsKeptWhereItIsNotAskedFor) {
  const std::vector<Edge> there_and_back = {{0, 1, {}, {}}, {1, 0, {}, {}}};
  EXPECT_TRUE(FindCycle({{Promise::kWeak}, {{0}, {}}, there_and_back}));
  EXPECT_FALSE(FindCycle({{Promise::kWeak}, {{0}, {0}}, there_and_back}));
  EXPECT_FALSE(FindCycle({{Promise::kStrong}, {{0}, {}}, there_and_back}));
}

TEST(FairGraphTest, GoesOutOfItsWayForAnAnswer) {
  // Back and forth between 0 and 1 owes an answer, which only the edge from 2 has.
  const Plan plan = {{Promise::kStrong},
                     {{0}, {}, {}},
                     {{0, 1, {}, {}}, {1, 0, {}, {}}, {1, 2, {}, {}}, {2, 1, {}, {0}}}};
  EXPECT_EQ(FindCycle(plan), (Numbers{0, 2, 3, 1}));
}

TEST(FairGraphTest, LeavesOutWhatAsksInVain) {
  // Nobody answers, so that only the loop at 1 is left.
  const Plan plan = {{Promise::kStrong},
                     {{0}, {}},
                     {{0, 1, {}, {}}, {1, 0, {}, {}}, {1, 1, {0}, {}}, {1, 1, {}, {}}}};
  EXPECT_EQ(FindCycle(plan), Numbers{3});
}

TEST(FairGraphTest, ABudgetThatEndsSaysNothing) {
  FairGraph graph;
  graph.AddVertex({});
  graph.AddEdge(0, {}, {});
  model::Budget budget({.steps_max = 0}, [] { return model::Budget::Time{}; });
  EXPECT_EQ(graph.FindCycle(budget), std::nullopt);
  EXPECT_TRUE(budget.spent());
}

}  // namespace
}  // namespace foretell::search
