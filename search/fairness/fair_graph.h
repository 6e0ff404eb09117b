#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/search/fairness/components.h"

namespace foretell::search {

// Lists of numbers, one after the other.
class NumberLists {
 public:
  void Add(std::span<const uint32_t> numbers) {
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    ends_.push_back(numbers_.size());
  }
  std::span<const uint32_t> at(size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::span(numbers_).subspan(begin, ends_[index] - begin);
  }
  uint64_t bytes() const {
    return numbers_.capacity() * sizeof(uint32_t) + ends_.capacity() * sizeof(size_t);
  }

 private:
  std::vector<uint32_t> numbers_;
  std::vector<size_t> ends_;
};

// A finite graph in which endless ways have promises to keep: what the vertices and edges ask for
// that a way goes through for ever, one of those edges answers. Knows nothing of systems. A
// component without an answer is taken apart at whatever asks for it (Streett), or given up, if
// the promise is weak.
class FairGraph {
 public:
  enum class Promise : uint8_t {
    kWeak,    // Answered, or not asked for in some vertex. Edges ask for none of these.
    kStrong,  // Answered, or never asked for.
  };
  uint32_t AddPromise(Promise promise);
  // Vertices are numbered as they come, and so are edges; an edge leaves the last vertex.
  void AddVertex(std::span<const uint32_t> asks);
  // `to` may come later. REQUIRES: there is a vertex.
  void AddEdge(uint32_t to, std::span<const uint32_t> asks, std::span<const uint32_t> answers);

  uint32_t vertex_count() const { return static_cast<uint32_t>(first_edge_.size()); }
  uint32_t from(uint32_t edge) const { return edges_[edge].from; }

  // The edges of a closed way that keeps all promises, one after the other, beginning with the
  // least vertex of the first component that has one. Nothing if there is none, or if the budget
  // ends, which then is spent. For one call. REQUIRES: all edges lead to vertices.
  std::optional<std::vector<uint32_t>> FindCycle(model::Budget& budget);

  uint64_t bytes() const;

 private:
  using Numbers = std::vector<uint32_t>;
  struct Edge {
    uint32_t from;
    uint32_t to;
  };
  // Of one promise, in some part of the graph.
  struct Tally {
    uint32_t asking = 0;  // Vertices.
    bool asked = false;   // By an edge.
    bool answered = false;
  };

  uint32_t FirstEdge(uint32_t vertex) const;
  bool Inside(uint32_t edge) const;
  Numbers EdgesInside(const Numbers& vertices) const;
  Numbers Broken(const Numbers& vertices, const Numbers& edges) const;
  void Divide(const Numbers& vertices, Components& components);
  bool TakeApart(const Numbers& vertices, const Numbers& edges, const Numbers& broken);
  Numbers Walk(const Numbers& vertices) const;
  template <class Goal>
  void Extend(uint32_t from, const Goal& goal, Numbers& way) const;

  std::vector<Promise> promises_;
  Numbers first_edge_;  // By vertex.
  std::vector<Edge> edges_;
  NumberLists vertex_asks_;
  NumberLists edge_asks_;
  NumberLists edge_answers_;

  Numbers part_;               // By vertex: its component; 0: on no fair cycle.
  std::vector<bool> dropped_;  // By edge.
  uint32_t parts_ = 0;
  std::map<uint32_t, Numbers> waiting_;  // Components, by their least vertex.
};

}  // namespace foretell::search
