#pragma once

// A tiny protocol for the tests of this folder: node 0 asks everybody for a vote, voters answer
// yes or no, and hearing "yes" from both others breaks `never-elected`. Node 2 may crash once and
// forgets that it voted.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::agent {

struct ToyProtocol {
  using NodeId = model::NodeId;
  struct State {
    uint32_t asked = 0;
    std::optional<bool> voted;
    std::set<uint32_t> yes;
    FORETELL_FIELDS(asked, voted, yes)
  };
  struct Ask {
    uint32_t term = 0;
    FORETELL_FIELDS(term)
  };
  struct Vote {
    bool yes = false;
    FORETELL_FIELDS(yes)
  };
  struct Campaign {};
  using Message = std::variant<Ask, Vote>;
  using Action = Campaign;

  bool voters_say_no = false;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = static_cast<uint8_t>(node == NodeId(2) ? 1 : 0)};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0) && state.asked == 0) return {Campaign{}};
    return {};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    ++state.asked;
    context.Broadcast(Ask{state.asked});
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (const auto* vote = std::get_if<Vote>(&message)) {
      if (vote->yes) state.yes.insert(from.value());
    } else if (!state.voted) {
      state.voted = !voters_say_no && context.Choose(2) == 1;
      context.Send(from, Vote{*state.voted});
    }
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, uint32_t>(
        {.name = "never-elected", .text = "Nobody hears yes from both others.", .stable = true},
        [](NodeId, const State& s) -> std::optional<uint32_t> {
          return static_cast<uint32_t>(s.yes.contains(1)) + (s.yes.contains(2) ? 1u : 0u);
        },
        [](const uint32_t& others) { return others == 2; })};
  }
};

class ToyFamily final : public model::ServiceFamily {
 public:
  std::string name() const override { return "toy"; }
  std::string text() const override { return "A vote among three nodes."; }
  std::vector<model::Named> scenarios() const override {
    return {{"fresh", "Nothing has happened."}, {"asked", "The question is under way."}};
  }
  std::vector<model::Named> bugs() const override {
    return {{"says-yes", "Voters may say yes."}, {"says-maybe", "Does not go with any scenario."}};
  }
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override {
    if (bug == "says-maybe") {
      return absl::InvalidArgumentError("bug says-maybe needs another scenario");
    }
    model::System system;
    system.service = model::MakeService(ToyProtocol{.voters_say_no = bug.empty()});
    system.start = model::InitialCut(*system.service);
    if (scenario == "asked") {
      system.components = "0/1,2";
      system.start.nodes[0].body = model::Encode(ToyProtocol::State{.asked = 1});
      const std::string ask = model::Encode(ToyProtocol::Message(ToyProtocol::Ask{1}));
      for (const uint32_t n : {1u, 2u}) {
        system.start.in_flight.push_back({model::NodeId(0), model::NodeId(n), ask});
      }
    }
    return system;
  }
  bool has_judge() const override { return true; }
  std::optional<std::string> SecondOpinion(const std::string& scenario, const std::string&,
                                           const model::Violation& violation) const override {
    if (scenario != "fresh") return std::nullopt;
    return "confirmed: " + std::to_string(violation.path.size()) + " steps by hand";
  }
};

}  // namespace foretell::agent
