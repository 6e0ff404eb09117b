#include "foretell/integration/examples/tree.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/integration/testing/naive_bfs.h"

namespace foretell::integration::examples {
namespace {

using testing::BfsResult;
using testing::MakeOrDie;
using testing::NaiveBfs;

// Figure 3 draws a state for each arrow and does not join duplicates.
TEST(TreeTest, HasTwelveGlobalStatesAsDrawn) {
  const model::System system = MakeOrDie(*MakeTreeFamily(), "figure-2");
  const BfsResult result = NaiveBfs(system).Run(100);
  EXPECT_TRUE(result.complete);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(result.states, 9u);
  EXPECT_EQ(1 + result.transitions, 12u);
}

// Figure 4 without its order: every message is offered to every state of its receiver, for ever.
class LocalStates {
 public:
  explicit LocalStates(const model::System& system) : service_(*system.service) {
    for (const model::NodeState& node : system.start.nodes) states_.push_back({node.body});
  }
  // One pass over what is known. False if nothing new came of it.
  bool Grow() {
    const size_t before = Size();
    for (uint32_t n = 0; n < states_.size(); ++n) {
      for (const std::string& state : std::set<std::string>(states_[n])) GrowFrom(n, state);
    }
    return Size() > before;
  }
  size_t Combinations() const {
    size_t product = 1;
    for (const auto& of_node : states_) product *= of_node.size();
    return product;
  }

 private:
  size_t Size() const {
    size_t size = network_.size();
    for (const auto& of_node : states_) size += of_node.size();
    return size;
  }
  void GrowFrom(uint32_t n, const std::string& state) {
    for (const std::string& action : service_.Actions(model::NodeId(n), state)) {
      Run(n, state, {.kind = model::EventKind::kAction, .body = action});
    }
    for (const model::Message& message : std::set<model::Message>(network_)) {
      if (message.to.value() != n) continue;
      Run(n, state, {model::EventKind::kDeliver, message.from, message.body});
    }
  }
  void Run(uint32_t n, const std::string& state, const model::Event& event) {
    const auto result = service_.Run(model::NodeId(n), state, std::span(&event, 1), {});
    states_[n].insert(result.state);
    for (const model::Send& send : result.sends) {
      network_.insert({model::NodeId(n), send.to, send.body});
    }
  }

  const model::Service& service_;
  std::vector<std::set<std::string>> states_;  // By node.
  std::set<model::Message> network_;
};

TEST(TreeTest, HasFourSystemStatesForLocalModelChecking) {
  const model::System system = MakeOrDie(*MakeTreeFamily(), "figure-2");
  LocalStates local(system);
  while (local.Grow()) {
  }
  EXPECT_EQ(local.Combinations(), 4u);
}

TEST(TreeTest, OnlyASpuriousCombinationBreaksTheInvariant) {
  const model::System system = MakeOrDie(*MakeTreeFamily(), "figure-2");
  model::SystemCut cut = system.start;
  cut.nodes[4].body = model::Encode(TreeProtocol::State{Mark::kReceived});
  const model::PlainSystem spurious(*system.service, cut);
  EXPECT_EQ(spurious.Violated(), std::vector<std::string>{"sent-before-received"});
}

}  // namespace
}  // namespace foretell::integration::examples
