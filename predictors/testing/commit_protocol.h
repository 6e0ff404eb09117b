#pragma once

// Two-phase commit, one transaction after the other: a coordinator, node 0, asks participants to
// vote and tells them what became of it. A transaction must not be committed here and aborted
// there.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::predictors::testing {

enum class Fate : uint8_t { kOpen, kCommitted, kAborted };

struct Prepare {
  uint32_t tx = 0;
  FORETELL_FIELDS(tx)
};
struct Vote {
  uint32_t tx = 0;
  FORETELL_FIELDS(tx)
};
struct Decide {
  uint32_t tx = 0;
  Fate fate = Fate::kOpen;
  FORETELL_FIELDS(tx, fate)
};
struct Begin {};
struct DoubtTimeout {};  // A participant waits no longer for the decision.

struct CommitProtocol {
  struct State {
    std::vector<Fate> fates;           // Of transactions 1, 2, ...; on disk.
    std::set<model::NodeId> said_yes;  // Coordinator, in memory: in the last transaction.
    FORETELL_FIELDS(fates, said_yes)
    bool open() const { return !fates.empty() && fates.back() == Fate::kOpen; }
    uint32_t tx() const { return static_cast<uint32_t>(fates.size()); }
  };
  using Message = std::variant<Prepare, Vote, Decide>;
  using Action = std::variant<Begin, DoubtTimeout>;
  using Context = model::Context<Message>;
  static constexpr model::NodeId kCoordinator{0};

  uint32_t participants = 3;
  uint8_t crashes_max = 1;        // Of the coordinator.
  bool forgets_decision = false;  // It tells its decision before that is on disk.
  bool impatient = false;         // A participant in doubt aborts after a while.

  uint32_t node_count() const { return 1 + participants; }
  model::Network network() const { return {}; }
  model::FaultBudget faults(model::NodeId node) const {
    return {.crashes_max = node == kCoordinator ? crashes_max : uint8_t{0}};
  }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (impatient && node != kCoordinator && state.open()) return {DoubtTimeout{}};
    return {};
  }
  std::vector<Action> Calls(model::NodeId node, const State& state) const {
    if (node == kCoordinator && !state.open()) return {Begin{}};
    return {};
  }
  model::ActionTiming Timing(const Action& action) const {
    if (std::holds_alternative<Begin>(action)) return {};
    return {.origin = model::ActionTiming::Origin::kTimer,
            .delay = std::chrono::milliseconds(200),
            .spread = std::chrono::milliseconds(0)};
  }
  void OnAction(State& state, const Action& action, Context& context) const {
    if (std::holds_alternative<DoubtTimeout>(action)) {
      state.fates.back() = Fate::kAborted;
      return;
    }
    state.fates.push_back(Fate::kOpen);
    state.said_yes.clear();
    Tell(Prepare{state.tx()}, context);
  }
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const {
    if (const auto* prepare = std::get_if<Prepare>(&message)) {
      if (prepare->tx != state.tx() + 1) return;
      state.fates.push_back(Fate::kOpen);
      context.Send(kCoordinator, Vote{prepare->tx});
    } else if (const auto* decide = std::get_if<Decide>(&message)) {
      if (decide->tx == state.tx() && state.open()) state.fates.back() = decide->fate;
    } else if (std::get<Vote>(message).tx == state.tx() && state.open()) {
      state.said_yes.insert(from);
      if (state.said_yes.size() == participants) End(state, Fate::kCommitted, context);
    }
  }
  State OnCrash(model::NodeId, const State& state) const {
    State kept;
    kept.fates = state.fates;
    if (forgets_decision && !kept.fates.empty()) kept.fates.back() = Fate::kOpen;
    return kept;
  }
  // Whoever has decided says it again; who has not aborts, as its votes are gone.
  void OnRestart(State& state, Context& context) const {
    if (context.self() != kCoordinator || state.fates.empty()) return;
    End(state, state.open() ? Fate::kAborted : state.fates.back(), context);
  }

  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto fates = [](model::NodeId, const State& state) { return std::optional(state.fates); };
    const auto split = [](const std::vector<Fate>& a, const std::vector<Fate>& b) {
      for (size_t tx = 0; tx < std::min(a.size(), b.size()); ++tx) {
        if (a[tx] != Fate::kOpen && b[tx] != Fate::kOpen && a[tx] != b[tx]) return true;
      }
      return false;
    };
    // How many transactions there are where the last is committed, else nothing.
    const auto committed = [](model::NodeId, const State& state) {
      const bool done = !state.fates.empty() && state.fates.back() == Fate::kCommitted;
      return std::optional(done ? state.tx() : 0);
    };
    return {model::PairInvariant<State, std::vector<Fate>>(
                {.name = "atomic", .text = "No node commits what another aborts."}, fates, split),
            model::SystemInvariant<State, uint32_t>(
                {.name = "commits", .text = "All commit the last transaction.", .eventually = true},
                committed, [](const auto& counts) {
                  const uint32_t all = counts[0].value_or(0);
                  return all == 0 || std::any_of(counts.begin(), counts.end(),
                                                 [&](const auto& n) { return n != all; });
                })};
  }

 private:
  void End(State& state, Fate fate, Context& context) const {
    state.fates.back() = fate;
    Tell(Decide{state.tx(), fate}, context);
  }
  void Tell(const Message& message, Context& context) const {
    for (uint32_t n = 1; n < node_count(); ++n) context.Send(model::NodeId(n), message);
  }
};

}  // namespace foretell::predictors::testing
