#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::integration::sdk::testing {

// A service that uses everything a host offers, and whose state tells what it got.
struct Relay {
  struct State {
    uint32_t kept = 0;  // Survives.
    uint32_t said = 0;
    uint32_t ticks = 0;
    uint32_t restarts = 0;
    uint32_t breaks = 0;
    uint32_t disordered = 0;
    bool locked = false;
    std::map<uint32_t, uint32_t> heard;  // The last value by sender.
    uint32_t count = 0;
    FORETELL_FIELDS(kept, said, ticks, restarts, breaks, disordered, locked, heard, count)
  };
  struct Message {
    static constexpr const char* kName = "Word";
    uint32_t value = 0;
    std::string padding;
    FORETELL_FIELDS(value, padding)
  };
  // Tells everybody, itself included.
  struct Say {
    uint32_t value = 0;
    FORETELL_FIELDS(value)
  };
  struct Keep {
    uint32_t value = 0;
    FORETELL_FIELDS(value)
  };
  struct Lock {};
  // Says more than fits into a datagram.
  struct Shout {};
  struct Fail {};
  struct Tick {
    uint32_t value = 0;
    FORETELL_FIELDS(value)
  };
  using Action = std::variant<Say, Keep, Lock, Shout, Fail, Tick>;

  uint32_t nodes = 3;
  bool streams = false;
  uint32_t ticks_max = 0;
  bool lock_lasts = true;  // True iff one-lock says of itself that it is stable.

  uint32_t node_count() const { return nodes; }
  model::Network network() const {
    return {.kind = streams ? model::NetworkKind::kStreams : model::NetworkKind::kDatagrams};
  }
  State Initial(model::NodeId) const { return {}; }

  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>&) const {
    uint32_t& last = state.heard[from.value()];
    if (message.value <= last) ++state.disordered;
    last = message.value;
    ++state.count;
  }

  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    std::vector<Action> actions = Calls(node, state);
    if (state.ticks < ticks_max) actions.push_back(Tick{state.ticks + 1});
    return actions;
  }
  std::vector<Action> Calls(model::NodeId, const State& state) const {
    return {Say{state.said + 1}, Keep{state.kept + 1}, Lock{}, Shout{}, Fail{}};
  }
  // "Keep(value=N)" for any N of one digit.
  std::optional<Action> ParseCall(const std::string& text) const {
    const std::string head = "Keep(value=";
    if (text.size() != head.size() + 2 || !text.starts_with(head)) return std::nullopt;
    return Keep{static_cast<uint32_t>(text[head.size()] - '0')};
  }
  bool Valid(const Action& action) const {
    const Keep* keep = std::get_if<Keep>(&action);
    return keep == nullptr || keep->value != 9;
  }
  std::optional<std::string> Ask(const State& state, const std::string& question) const {
    if (question != "kept") return std::nullopt;
    return std::to_string(state.kept);
  }
  model::ActionTiming Timing(const Action& action) const {
    if (!std::holds_alternative<Tick>(action)) return {};
    return {model::ActionTiming::Origin::kTimer, std::chrono::milliseconds(1)};
  }

  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (const auto* say = std::get_if<Say>(&action)) {
      state.said = say->value;
      context.Broadcast({say->value, ""});
    } else if (const auto* keep = std::get_if<Keep>(&action)) {
      state.kept = keep->value;
    } else if (std::holds_alternative<Lock>(action)) {
      state.locked = true;
    } else if (std::holds_alternative<Shout>(action)) {
      context.Broadcast({++state.said, std::string(70000, 'x')});
    } else if (std::holds_alternative<Fail>(action)) {
      context.Require(false, "asked to fail");
    } else {
      state.ticks = std::get<Tick>(action).value;
    }
  }
  State OnCrash(model::NodeId, const State& state) const { return {.kept = state.kept}; }
  void OnRestart(State& state, model::Context<Message>&) const { ++state.restarts; }
  void OnBreak(State& state, model::NodeId, model::Context<Message>&) const { ++state.breaks; }

  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, bool>(
        {.name = "one-lock", .text = "No two nodes have the lock.", .stable = lock_lasts},
        [](model::NodeId, const State& state) -> std::optional<bool> {
          return state.locked ? std::optional(true) : std::nullopt;
        },
        [](bool, bool) { return true; })};
  }
};

inline std::unique_ptr<model::Service> MakeRelay(Relay relay) {
  return model::MakeService(std::move(relay));
}

}  // namespace foretell::integration::sdk::testing
