// Bytes from outside: whatever is called valid can be stepped without harm.

#include <gtest/gtest.h>

#include <random>

#include "foretell/integration/raft/testing/random_walk.h"

namespace foretell::integration::raft {
namespace {

using model::Event;
using model::EventKind;
using model::NodeId;

// Everything that occurs on some random walks.
struct Corpus {
  std::vector<std::string> states;
  std::vector<std::string> messages;
};

Corpus Collect(const model::System& system, uint32_t seeds) {
  Corpus corpus;
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    testing::Walk(system, seed, 80, [&](const model::SystemCut& at, const model::PathStep& step) {
      corpus.states.push_back(at.nodes[step.node.index()].body);
      if (step.event.kind == EventKind::kDeliver) corpus.messages.push_back(step.event.body);
    });
  }
  return corpus;
}

std::string Mutated(std::string bytes, std::mt19937& random) {
  for (uint32_t i = 0; i < 1 + random() % 3 && !bytes.empty(); ++i) {
    const size_t at = random() % bytes.size();
    switch (random() % 4) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      // Most fields are small numbers in one byte.
      case 1: bytes[at] = static_cast<char>(random() % 8); break;
      case 2: bytes.erase(at, 1); break;
      default: bytes.insert(at, 1, static_cast<char>(random() % 8));
    }
  }
  return bytes;
}

// Runs everything that a checker could run in `state`.
void StepEverywhere(const model::Service& service, const std::string& state,
                    const std::string& message) {
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    const NodeId node(n);
    std::vector<Event> events;
    for (const std::string& action : service.Actions(node, state)) {
      events.push_back({EventKind::kAction, NodeId(0), action});
    }
    events.push_back({EventKind::kDeliver, NodeId((n + 1) % 3), message});
    events.push_back({EventKind::kCrash, NodeId(0), ""});
    for (const Event& event : events) {
      const Event twice[] = {event, {EventKind::kDeliver, NodeId((n + 2) % 3), message}};
      const model::HandlerResult result = service.Run(node, state, twice, {});
      EXPECT_TRUE(!result.failure.empty() || service.ValidState(result.state));
    }
    for (size_t i = 0; i < service.invariants().size(); ++i) service.Project(i, node, state);
    service.RenderState(node, state);
  }
}

TEST(ValidTest, MutatedBytesAreRefusedOrHarmless) {
  const model::System system = testing::MakeCluster(testing::Everything(2));
  const Corpus corpus = Collect(system, 20);
  std::mt19937 random(7);
  int states = 0;
  int messages = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string state = Mutated(corpus.states[random() % corpus.states.size()], random);
    std::string message = Mutated(corpus.messages[random() % corpus.messages.size()], random);
    const bool valid_state = system.service->ValidState(state);
    const bool valid_message = system.service->ValidMessage(message);
    states += valid_state ? 1 : 0;
    messages += valid_message ? 1 : 0;
    if (!valid_state) state = corpus.states[random() % corpus.states.size()];
    if (!valid_message) message = corpus.messages[random() % corpus.messages.size()];
    if (valid_state || valid_message) StepEverywhere(*system.service, state, message);
  }
  // Or the test shows nothing.
  EXPECT_GT(states, 1'000);
  EXPECT_GT(messages, 1'000);
}

TEST(ValidTest, RandomBytesAreNothing) {
  const model::System system = testing::MakeCluster(testing::Everything(0));
  std::mt19937 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 64, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_FALSE(system.service->ValidState(bytes));
    if (!system.service->ValidMessage(bytes)) continue;
    StepEverywhere(*system.service, system.start.nodes[0].body, bytes);
  }
}

class ValidStateTest : public ::testing::Test {
 protected:
  // A follower with one entry on its way to the disk.
  static State Good() {
    State state = Boot({});
    state.role = Role::kFollower;
    state.term = 2;
    state.leader = NodeId(0);
    state.log.push_back({2, EntryType::kCommand, "put x 1"});
    state.stored = state.commit = state.applied = state.machine.shared = 1;
    state.pending.push_back({.kind = Operation::Kind::kFollowerAppend,
                             .index = 2,
                             .entries = {state.log[1]},
                             .prev = 1,
                             .leader_commit = 1});
    return state;
  }
  State state_ = Good();
};

TEST_F(ValidStateTest, AGoodOneIs) { EXPECT_TRUE(Valid(state_, 3)); }

TEST_F(ValidStateTest, NothingIsBeyondTheLog) {
  for (uint64_t State::*index : {&State::stored, &State::commit, &State::applied}) {
    state_ = Good();
    state_.*index = 3;
    EXPECT_FALSE(Valid(state_, 3));
  }
}

TEST_F(ValidStateTest, NodesExist) {
  state_.leader = NodeId(3);
  EXPECT_FALSE(Valid(state_, 3));
  state_ = Good();
  state_.vote = NodeId(3);
  EXPECT_FALSE(Valid(state_, 3));
}

TEST_F(ValidStateTest, ALogBeginsWithTheConfiguration) {
  state_.log[0].term = 2;
  EXPECT_FALSE(Valid(state_, 3));
  state_ = Good();
  state_.log[1].type = EntryType::kChange;
  EXPECT_FALSE(Valid(state_, 3));
}

TEST_F(ValidStateTest, APendingAppendIsNearTheLog) {
  state_.pending[0].index = uint64_t{1} << 30;
  EXPECT_FALSE(Valid(state_, 3));
}

TEST_F(ValidStateTest, OneStateHasOneEncoding) {
  state_.disk = {0, {FirstEntry()}};
  EXPECT_FALSE(Valid(state_, 3));
}

}  // namespace
}  // namespace foretell::integration::raft
