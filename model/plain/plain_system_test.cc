#include "foretell/model/plain/plain_system.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

// Node 0 may ask node 1 once; node 1 answers yes or no.
struct AskProtocol {
  struct State {
    uint32_t asked = 0;
    std::optional<bool> answer;
    FORETELL_FIELDS(asked, answer)
  };
  struct Question {};
  struct Answer {
    bool yes = false;
    FORETELL_FIELDS(yes)
  };
  struct Ask {};
  using Message = std::variant<Question, Answer>;
  using Action = Ask;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0) && state.asked == 0) return {Ask{}};
    return {};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.asked;
    context.Send(NodeId(1), Question{});
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    if (const auto* answer = std::get_if<Answer>(&message)) {
      state.answer = answer->yes;
    } else {
      context.Send(from, Answer{context.Choose(2) == 1});
    }
  }
  std::vector<TypedInvariant<State>> Invariants() const {
    return {NodeInvariant<State, bool>(
        {.name = "never-yes", .text = "Nobody hears yes.", .stable = true},
        [](NodeId, const State& s) { return s.answer; }, [](bool yes) { return yes; })};
  }
};

TEST(PlainSystemTest, ReplaysAPathWithChoicesToItsViolation) {
  const auto service = MakeService(AskProtocol{});
  const SystemCut start = InitialCut(*service);
  Path path;
  PlainSystem system(*service, start);
  while (system.Violated().empty()) {
    const std::vector<PathStep> enabled = system.Enabled();
    ASSERT_FALSE(enabled.empty());
    path.push_back(enabled.back());
    ASSERT_TRUE(system.Apply(enabled.back()).ok());
  }
  EXPECT_EQ(path.size(), 3u);
  EXPECT_EQ(path[1].choices, std::vector<uint32_t>{1});
  const auto violation = Confirm(*service, start, "never-yes", path);
  ASSERT_TRUE(violation.ok()) << violation.status();
  EXPECT_EQ(violation->text, "Nobody hears yes. Broken by node 0.");
}

TEST(PlainSystemTest, RefusesAStepThatIsNotEnabledAndNamesIt) {
  const auto service = MakeService(AskProtocol{});
  const Path path = {
      {NodeId(1),
       {EventKind::kDeliver, NodeId(0), Encode(AskProtocol::Message(AskProtocol::Question{}))},
       {0}}};
  const auto replayed = Replay(*service, InitialCut(*service), path);
  ASSERT_FALSE(replayed.ok());
  EXPECT_EQ(std::string(replayed.status().message()),
            "step 1 of 1: deliver Question() from node 0 at node 1: not in flight, or the node is "
            "not up");
}

}  // namespace
}  // namespace foretell::model
