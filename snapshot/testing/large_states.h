#pragma once

// Services whose nodes have states of 1 MB, for measurements: one that copies well and one that
// does not. An application call, Touch, changes one part in a hundred.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::snapshot {

inline constexpr uint32_t kLargeNodes = 5;

struct LargeNote {
  static constexpr const char* kName = "Note";
  std::string text;
  FORETELL_FIELDS(text)
};

struct Touch {
  bool always = true;
  FORETELL_FIELDS(always)
};

// Numbers without a pattern that a compressor could find, the same on every machine.
class LargeNumbers {
 public:
  explicit LargeNumbers(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::string Text(size_t size) {
    std::string text;
    while (text.size() < size) text.push_back(static_cast<char>(Next()));
    return text;
  }

 private:
  uint64_t state_;
};

// The common part of both services; Derived fills and changes its state.
template <class State>
struct LargeService {
  using Message = LargeNote;
  using Action = Touch;
  uint32_t node_count() const { return kLargeNodes; }
  std::vector<Touch> Actions(model::NodeId, const State&) const { return {Touch{}}; }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
  void OnMessage(State&, model::NodeId, const Message&, model::Context<Message>&) const {}
};

struct StoreState {
  uint64_t touched = 0;
  std::map<std::string, std::string> values;
  FORETELL_FIELDS(touched, values)
};

// A key-value store: 1,000 strings of 1 KB.
struct LargeStore : LargeService<StoreState> {
  using State = StoreState;
  State Initial(model::NodeId node) const {
    State state;
    LargeNumbers numbers(node.value());
    for (int i = 0; i < 1'000; ++i) {
      state.values["key " + std::to_string(i)] = numbers.Text(1 << 10);
    }
    return state;
  }
  void OnAction(State& state, const Touch&, model::Context<Message>& context) const {
    LargeNumbers numbers(1'000 * ++state.touched + context.self().value());
    uint64_t at = state.touched;
    for (auto& [key, value] : state.values) {
      if (at++ % 100 == 0) value = numbers.Text(1 << 10);
    }
  }
};

struct LogItem {
  uint64_t index = 0;
  uint64_t client = 0;
  uint64_t request = 0;
  int64_t delta = 0;
  std::vector<uint32_t> acknowledged;
  FORETELL_FIELDS(index, client, request, delta, acknowledged)
};

struct LogState {
  uint64_t touched = 0;
  std::vector<LogItem> items;
  FORETELL_FIELDS(touched, items)
};

// A replicated log: 41,000 entries of some 25 bytes in ten integers each.
struct LargeLog : LargeService<LogState> {
  using State = LogState;
  State Initial(model::NodeId node) const {
    State state;
    LargeNumbers numbers(node.value());
    for (uint64_t i = 0; i < 41'000; ++i) {
      const int64_t sign = i % 2 == 0 ? 1 : -1;
      state.items.push_back({i, numbers.Next(), i * i, sign * 1'000'000, {0, 1, 2, 3}});
    }
    return state;
  }
  // The oldest entries are forgotten and new ones come.
  void OnAction(State& state, const Touch&, model::Context<Message>& context) const {
    LargeNumbers numbers(1'000 * ++state.touched + context.self().value());
    const size_t count = state.items.size() / 100;
    const auto moved = static_cast<std::ptrdiff_t>(count);
    std::rotate(state.items.begin(), state.items.begin() + moved, state.items.end());
    for (auto item = state.items.end() - moved; item != state.items.end(); ++item) {
      item->index += state.items.size();
      item->client = numbers.Next();
    }
  }
};

}  // namespace foretell::snapshot
