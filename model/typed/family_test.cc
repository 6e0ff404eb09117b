#include "foretell/model/typed/family.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "foretell/model/typed/shapes.h"

namespace foretell::model {
namespace {

// Handlers by kind, and one of them for the rest.
struct DoorBell {
  struct State {
    std::string heard;
    FORETELL_FIELDS(heard)
  };
  struct Ring {};
  struct Knock {
    uint32_t times = 0;
    FORETELL_FIELDS(times)
  };
  struct Shout {};
  using Message = std::variant<Ring, Knock, Shout>;
  using Action = std::variant<Ring, Shout>;
  static constexpr uint32_t kNodes = 2;

  uint32_t knocks = 1;
  bool loud = false;

  bool Can(NodeId node, const State& state, Ring) const {
    return node == NodeId(0) && state.heard.empty();
  }
  bool Can(NodeId, const State&, Shout) const { return loud; }
  void OnAction(State& state, Ring, Context<Message>& context) const {
    state.heard = "rang";
    context.Send(NodeId(1), Knock{knocks});
  }
  void OnAction(State& state, Shout, Context<Message>&) const { state.heard = "shouted"; }
  void OnMessage(State& state, NodeId, const Knock& knock, Context<Message>&) const {
    state.heard = "knock " + std::to_string(knock.times);
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    state.heard = "something else";
  }
  std::vector<TypedInvariant<State>> Invariants() const {
    return {Never("deaf", [](const State& state) { return state.heard == "nothing"; })};
  }
};

// All that has to be said: nobody sends, so there is one node.
struct HTTPCounter {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Tick {};
  using Action = Tick;
  bool Can(NodeId, const State& state, Tick) const { return state.count < 2; }
  void OnAction(State& state, Tick, Context<>&) const { ++state.count; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
};

std::string Heard(const Service& service, const Event& event) {
  const HandlerResult result =
      service.Run(NodeId(0), service.InitialState(NodeId(0)), std::span(&event, 1), {});
  return Decode<DoorBell::State>(result.state)->heard;
}

TEST(HandlersByKindTest, TheKindDecides) {
  const auto service = MakeService(DoorBell{});
  using Message = DoorBell::Message;
  using Action = DoorBell::Action;
  const auto message = [](const Message& body) {
    return Event{.kind = EventKind::kDeliver, .peer = NodeId(1), .body = Encode(body)};
  };
  const auto action = [](const Action& body) {
    return Event{.kind = EventKind::kAction, .body = Encode(body)};
  };
  EXPECT_EQ(Heard(*service, message(DoorBell::Knock{3})), "knock 3");
  EXPECT_EQ(Heard(*service, message(DoorBell::Ring{})), "something else");
  EXPECT_EQ(Heard(*service, message(DoorBell::Shout{})), "something else");
  EXPECT_EQ(Heard(*service, action(DoorBell::Ring{})), "rang");
  EXPECT_EQ(Heard(*service, action(DoorBell::Shout{})), "shouted");
}

TEST(HandlersByKindTest, CanSaysKindByKindWhatIsPossible) {
  using Action = DoorBell::Action;
  const std::string ring = Encode(Action(DoorBell::Ring{}));
  const std::string shout = Encode(Action(DoorBell::Shout{}));
  const std::string initial = Encode(DoorBell::State{});
  const auto calm = MakeService(DoorBell{});
  EXPECT_EQ(calm->Actions(NodeId(0), initial), std::vector<std::string>{ring});
  EXPECT_TRUE(calm->Actions(NodeId(1), initial).empty());
  const auto loud = MakeService(DoorBell{.loud = true});
  EXPECT_EQ(loud->Actions(NodeId(0), initial), (std::vector<std::string>{ring, shout}));
}

TEST(FamilyTest, FollowsFromTheProtocol) {
  const Family<DoorBell> family;
  EXPECT_EQ(family.name(), "door-bell");
  ASSERT_EQ(family.scenarios().size(), 1u);
  EXPECT_EQ(family.scenarios()[0].name, "start");
  EXPECT_EQ(family.live_scenario(), "start");
  EXPECT_TRUE(family.bugs().empty());
  const auto system = Family<HTTPCounter>().Make("start", "");
  ASSERT_TRUE(system.ok()) << system.status();
  EXPECT_EQ(system->service->node_count(), 1u);
  EXPECT_TRUE(system->service->message_kinds().empty());
}

TEST(FamilyTest, WhoListsScenariosSaysWhichIsLive) {
  EXPECT_EQ(Family<DoorBell>({.scenarios = {{"quiet", "Nobody shouts."}}}).live_scenario(), "");
}

TEST(FamilyTest, ARowSetsABoolOrRunsAFunction) {
  const Family<DoorBell> family({
      .scenarios = {{"quiet", "Nobody shouts."}, {"loud", "Somebody does.", &DoorBell::loud}},
      .bugs = {{"insists", "Knocks nine times.", [](DoorBell& bell) { bell.knocks = 9; }},
               {"shouts", "Shouts.", &DoorBell::loud}},
  });
  const auto shouts = [&family](const std::string& scenario, const std::string& bug) {
    const auto system = family.Make(scenario, bug);
    EXPECT_TRUE(system.ok()) << system.status();
    return !system->service->Actions(NodeId(1), Encode(DoorBell::State{})).empty();
  };
  EXPECT_FALSE(shouts("quiet", ""));
  EXPECT_FALSE(shouts("quiet", "insists"));
  EXPECT_TRUE(shouts("quiet", "shouts"));
  EXPECT_TRUE(shouts("loud", ""));
}

}  // namespace
}  // namespace foretell::model
