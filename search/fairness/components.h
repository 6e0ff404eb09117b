#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace foretell::search {

// Strongly connected components (Tarjan), without recursion: spaces are deep.
class Components {
 public:
  explicit Components(uint32_t vertex_count) : order_(vertex_count, 0), low_(vertex_count, 0) {}

  // Calls `found(component)` with the vertices of each component among `vertices`. Edges are
  // numbers: those of a vertex are `first(vertex)` .. `first(vertex + 1) - 1`, and `target(edge)`
  // is the vertex that it leads to, or kNone if it is none of these edges. May be called again for
  // vertices of a component that was found.
  static constexpr uint32_t kNone = UINT32_MAX;
  template <class First, class Target, class Found>
  void Find(std::span<const uint32_t> vertices, const First& first, const Target& target,
            const Found& found) {
    for (const uint32_t vertex : vertices) order_[vertex] = 0;
    next_ = 0;
    for (const uint32_t vertex : vertices) {
      if (order_[vertex] == 0) Visit(vertex, first, target, found);
    }
  }

 private:
  struct Frame {
    uint32_t vertex;
    uint32_t edge;  // The next one to follow.
  };
  static constexpr uint32_t kDone = UINT32_MAX;

  void Enter(uint32_t vertex, uint32_t first_edge) {
    order_[vertex] = low_[vertex] = ++next_;
    open_.push_back(vertex);
    frames_.push_back({vertex, first_edge});
  }

  template <class First, class Target, class Found>
  void Visit(uint32_t root, const First& first, const Target& target, const Found& found) {
    Enter(root, first(root));
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const uint32_t vertex = frame.vertex;
      if (frame.edge < first(vertex + 1)) {
        const uint32_t to = target(frame.edge++);
        if (to == kNone || order_[to] == kDone) continue;
        if (order_[to] == 0) {
          Enter(to, first(to));
        } else {
          low_[vertex] = std::min(low_[vertex], order_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        uint32_t& above = low_[frames_.back().vertex];
        above = std::min(above, low_[vertex]);
      }
      if (low_[vertex] == order_[vertex]) Close(vertex, found);
    }
  }

  template <class Found>
  void Close(uint32_t root, const Found& found) {
    const auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    std::vector<uint32_t> component(begin, open_.end());
    open_.erase(begin, open_.end());
    for (const uint32_t vertex : component) order_[vertex] = kDone;
    found(std::move(component));
  }

  std::vector<uint32_t> order_;  // 0: not visited.
  std::vector<uint32_t> low_;
  std::vector<uint32_t> open_;
  std::vector<Frame> frames_;
  uint32_t next_ = 0;
};

}  // namespace foretell::search
