#include "foretell/agent/doctor/examination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "foretell/agent/doctor/diagnosis_json.h"
#include "foretell/agent/doctor/diagnosis_text.h"
#include "foretell/model/typed/family.h"

namespace foretell::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Node 0 tells node 1 numbers; node 1 answers if they are odd, and counts those that are not.
struct Parity {
  struct State {
    uint32_t left = 4;
    uint32_t last = 0;
    uint32_t even = 0;
    FORETELL_FIELDS(left, last, even)
  };
  struct Tell {
    uint32_t number = 0;
    FORETELL_FIELDS(number)
  };
  struct Next {};
  using Message = Tell;
  using Action = Next;

  bool answers_evens = false;  // A scenario in which the count is read.
  bool forgetful = false;      // A bug: it is not deterministic.
  uint32_t numbers = 4;
  mutable uint32_t runs = 0;

  uint32_t node_count() const { return 2; }
  State Initial(model::NodeId) const { return {.left = numbers}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    const bool can = node == model::NodeId(0) && state.left > 0;
    return can ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    --state.left;
    context.Send(model::NodeId(1), {context.Choose(4)});
  }
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (from == model::NodeId(1)) return;
    if (message.number % 2 == 1) context.Send(model::NodeId(0), {state.last});
    if (answers_evens && state.even > 1) context.Send(model::NodeId(0), {9});
    if (message.number % 2 == 0) ++state.even;
    state.last = forgetful ? ++runs : message.number;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

model::Catalog ParityCatalog() {
  model::Catalog catalog;
  catalog.push_back(std::make_unique<model::Family<Parity>>(model::Family<Parity>({
      .name = "parity",
      .text = "Tells numbers.",
      .scenarios = {{"odd", "Evens are counted."},
                    {"both", "And their count is read.",
                     [](Parity& parity) { parity.answers_evens = true; }}},
      .bugs = {{"forgetful", "Numbers are forgotten.", &Parity::forgetful}},
      .parameters = {{"numbers", "how many are told", &Parity::numbers, 1, 9}},
  })));
  return catalog;
}

absl::StatusOr<Examination> ExamineParity(const std::string& scenario,
                                          const std::string& bug = "") {
  CheckRequest request;
  request.service = "parity";
  request.scenario = scenario;
  request.bug = bug;
  model::Budget budget = model::Budget::Unlimited();
  return Examine(ParityCatalog(), request, {}, budget, [](const std::string&) {});
}

std::vector<std::string> Suggested(const Examination& examination) {
  std::vector<std::string> names;
  for (const uint32_t field : examination.diagnosis.suggestion.fields) {
    names.push_back(examination.fields.name(field));
  }
  return names;
}

TEST(ExaminationTest, LooksAtEveryScenarioUnlessOneIsNamed) {
  const auto one = ExamineParity("odd");
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->scenarios.size(), 1u);
  EXPECT_THAT(Suggested(*one), ElementsAre("even"));
  const auto all = ExamineParity("");
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->scenarios.size(), 2u);
  EXPECT_THAT(Suggested(*all), ElementsAre());
  EXPECT_THAT(DiagnosisText(*all, {}), HasSubstr("even: in both; not in odd (0 of "));
}

TEST(ExaminationTest, SettingsGoWithEveryScenario) {
  const auto set = ExamineParity(",numbers=2");
  ASSERT_TRUE(set.ok()) << set.status();
  ASSERT_EQ(set->scenarios.size(), 2u);
  EXPECT_EQ(set->scenarios[0].name, "odd,numbers=2");
  EXPECT_TRUE(set->scenarios[0].complete);
}

TEST(ExaminationTest, BadInputIsNamedInOneLine) {
  EXPECT_EQ(ExamineParity(",numbers=10").status().message(),
            "parity: numbers=10: must be from 1 to 9");
  EXPECT_THAT(std::string(ExamineParity("evn").status().message()),
              HasSubstr("unknown scenario 'evn'"));
  EXPECT_THAT(std::string(ExamineParity("", "forgetfull").status().message()),
              HasSubstr("did you mean 'forgetful'?"));
}

TEST(ExaminationTest, AServiceThatIsNotDeterministicIsNamedWithTheEvent) {
  const auto examined = ExamineParity("", "forgetful");
  EXPECT_EQ(examined.status().code(), absl::StatusCode::kFailedPrecondition);
  const std::string text(examined.status().message());
  EXPECT_THAT(text, HasSubstr("parity, scenario odd: is not deterministic"));
  EXPECT_THAT(text, HasSubstr("deliver Tell("));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(ExaminationTest, JsonHasWhatTheTextHas) {
  const auto one = ExamineParity("odd");
  ASSERT_TRUE(one.ok()) << one.status();
  const auto json = nlohmann::json::parse(DiagnosisJson(*one));
  EXPECT_EQ(json["service"], "parity");
  EXPECT_EQ(json["scenarios"][0]["name"], "odd");
  EXPECT_EQ(json["suggestion"]["fields"], nlohmann::json::array({"even"}));
  EXPECT_EQ(json["suggestion"]["influence"]["influenced"], 0);
  EXPECT_LT(json["suggestion"]["without"]["states"], json["now"]["states"]);
  ASSERT_EQ(json["fields"].size(), 3u);
  EXPECT_EQ(json["fields"][1]["name"], "last");
  EXPECT_EQ(json["fields"][1]["influence"]["behaviour"],
            nlohmann::json::array({"what is sent"}));
}

}  // namespace
}  // namespace foretell::agent
