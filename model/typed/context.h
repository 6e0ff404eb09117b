#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/protocol_types.h"

namespace foretell::model {

// The means of a handler besides changing its state. There is no clock and no random source: time
// comes as actions, chance comes from Choose, and the checker enumerates both.
template <class Message = None>
class Context {
 public:
  Context(NodeId self, uint32_t node_count, std::span<const uint32_t> choices)
      : self_(self), node_count_(node_count), choices_(choices) {}
  // For a live node; `draw` outlives the context.
  Context(NodeId self, uint32_t node_count, const Draw& draw)
      : self_(self), node_count_(node_count), draw_(&draw) {}
  // A handler that took a copy would send into it, and nobody would get anything.
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  NodeId self() const { return self_; }
  uint32_t node_count() const { return node_count_; }

  // To a node that does not exist is a failed local assertion: states can come from outside, and
  // what they make a handler do must not bring the checker down.
  void Send(NodeId to, const Message& message) {
    Require(to.value() < node_count_, "sends to a node that does not exist");
    if (to.value() < node_count_) result_.sends.push_back({to, Encode(message)});
  }
  // To every node, this one included.
  void Broadcast(const Message& message) {
    const std::string body = Encode(message);
    for (uint32_t n = 0; n < node_count_; ++n) result_.sends.push_back({NodeId(n), body});
  }
  // Any of 0 .. k-1: the checker tries them all, a live host draws one.
  uint32_t Choose(uint32_t k) {
    Require(k > 0, "chooses among nothing");
    if (k == 0) return 0;
    const size_t call = result_.choices_offered.size();
    // A handler that draws until it likes what it gets would never come back, and every answer is
    // tried with all answers to the calls before.
    outcomes_ *= draw_ != nullptr ? 1 : k;
    if (call == kChoicesMax || outcomes_ > kOutcomesMax) {
      throw std::length_error("makes more choices than a checker can try");
    }
    result_.choices_offered.push_back(k);
    if (draw_ != nullptr) return std::min((*draw_)(k), k - 1);
    return call < choices_.size() ? std::min(choices_[call], k - 1) : 0;
  }
  // One of `labels`, by index; people read the label: Choose({"commit", "abort"}).
  uint32_t Choose(std::initializer_list<const char*> labels) {
    const uint32_t chosen = Choose(static_cast<uint32_t>(labels.size()));
    if (labels.size() == 0) return 0;
    result_.choice_labels.resize(result_.choices_offered.size());
    result_.choice_labels.back() = *(labels.begin() + chosen);
    return chosen;
  }
  // Any of 0 .. k-1, where a live host draws in proportion to `weights`, and random walks do. What
  // has a weight of 0 can happen all the same, and nobody may count on it (ActionTiming::adverse).
  uint32_t Choose(std::span<const uint32_t> weights) {
    const uint64_t total = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    Require(total > 0 && total <= UINT32_MAX, "chooses by weights that are all 0 or too large");
    if (total == 0 || total > UINT32_MAX) return 0;
    const uint32_t chosen = draw_ != nullptr ? DrawByWeight(weights, static_cast<uint32_t>(total))
                                             : Choose(static_cast<uint32_t>(weights.size()));
    result_.choice_weights.resize(result_.choices_offered.size(), 1);
    result_.choice_weights.back() = weights[chosen];
    return chosen;
  }
  // A local assertion. The handler goes on, but what it does after a failure does not count.
  void Require(bool condition, const std::string& text) {
    if (!condition && result_.failure.empty()) result_.failure = text.empty() ? "failed" : text;
  }

  // The timer of `action`, which may be enabled already, starts afresh. Means nothing to a checker.
  template <class Action>
  void RestartTimer(const Action& action) {
    result_.restarted.push_back(Encode(action));
  }

  static constexpr size_t kChoicesMax = 64;
  static constexpr uint64_t kOutcomesMax = 1 << 16;

  HandlerResult Take() { return std::move(result_); }

 private:
  uint32_t DrawByWeight(std::span<const uint32_t> weights, uint32_t total) {
    uint32_t left = Choose(total);
    uint32_t chosen = 0;
    while (left >= weights[chosen]) left -= weights[chosen++];
    result_.choices_offered.back() = static_cast<uint32_t>(weights.size());
    return chosen;
  }

  NodeId self_;
  uint32_t node_count_;
  std::span<const uint32_t> choices_;
  const Draw* draw_ = nullptr;
  uint64_t outcomes_ = 1;  // As many ways are there to answer the choices so far.
  HandlerResult result_;
};

}  // namespace foretell::model
