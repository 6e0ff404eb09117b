// Services of which it is known what each field is good for.

#include "foretell/search/doctor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {
namespace {

using model::NodeId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct Ping {
  uint32_t value = 0;
  FORETELL_FIELDS(value)
};
struct Tick {};

struct Note {
  uint32_t value = 0;
  FORETELL_FIELDS(value)
};

// Node 0 sends some numbers to node 1, which answers with the one before.
struct MixedProtocol {
  struct State {
    uint32_t left = 5;        // What node 0 may still send.
    uint32_t value = 0;       // Matters: it is sent back.
    uint32_t twice = 0;       // A function of it.
    uint32_t counted = 0;     // Only counts.
    bool seen = false;        // Read by the invariant only.
    uint32_t mode = 0;        // Read only if the protocol is strict.
    uint32_t fixed = 7;       // Never varies.
    std::vector<Note> notes;  // Written only.
    uint32_t noted = 0;       // A function of them, written only.
    uint32_t hidden = 0;      // What a service must not have, if it is not deterministic.
    FORETELL_FIELDS(left, value, twice, counted, seen, mode, fixed, notes, noted, hidden)
  };
  using Message = Ping;
  using Action = Tick;

  bool strict = false;
  bool keeps_notes = false;
  bool deterministic = true;
  mutable uint32_t runs = 0;

  uint32_t node_count() const { return 2; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    const bool can = node == NodeId(0) && state.left > 0;
    return can ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    --state.left;
    context.Send(NodeId(1), {context.Choose(3)});
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (from == NodeId(1)) return;
    if (!strict || state.mode != 1) context.Send(NodeId(0), {state.value});
    state.value = message.value;
    state.twice = 2 * message.value;
    if (message.value > 0) ++state.counted;
    state.seen = state.seen || message.value == 2;
    state.mode = (state.mode + message.value) % 3;
    if (keeps_notes) state.notes.push_back({message.value});
    state.noted = static_cast<uint32_t>(state.notes.size());
    if (!deterministic) state.hidden = ++runs;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {
        model::Never("unseen", "Nobody has seen a two.", [](const State& s) { return s.seen; })};
  }
};

// What Diagnose needs, all of it alive.
struct Patient {
  std::vector<std::unique_ptr<model::Service>> services;
  FieldTable table;
  std::vector<std::unique_ptr<Sample>> samples;
  model::Budget budget = model::Budget::Unlimited();

  template <class Protocol>
  Sample& Add(const std::string& scenario, const Protocol& protocol, uint32_t states_max = 20'000) {
    services.push_back(model::MakeService(protocol));
    const model::SystemCut start = model::InitialCut(*services.back());
    samples.push_back(std::make_unique<Sample>(scenario, *services.back(), start, states_max, table,
                                               budget));
    return *samples.back();
  }
  Diagnosis Run(uint64_t trials_max = 4'000) {
    return Diagnose(samples, table, trials_max, budget);
  }
  const FieldFindings& Find(const Diagnosis& diagnosis, const std::string& name) const {
    for (const FieldFindings& one : diagnosis.fields) {
      if (table.name(one.field) == name) return one;
    }
    ADD_FAILURE() << "no field " << name;
    return diagnosis.fields[0];
  }
  template <class Fields>
  std::vector<std::string> Names(const Fields& fields) const {
    std::vector<std::string> names;
    for (const uint32_t field : fields) names.push_back(table.name(field));
    return names;
  }
};

TEST(DiagnosisTest, AFieldThatOnlyCountsIsSuggestedAndOneThatMattersIsNot) {
  Patient patient;
  EXPECT_TRUE(patient.Add("strict", MixedProtocol{.strict = true}).complete());
  const Diagnosis diagnosis = patient.Run();
  EXPECT_THAT(patient.Names(diagnosis.suggestion.fields), ElementsAre("counted"));
  const FieldFindings& counted = patient.Find(diagnosis, "counted");
  EXPECT_EQ(counted.influence.influenced, 0u);
  EXPECT_TRUE(counted.influence.IsEnough());
  EXPECT_LT(counted.without.states, diagnosis.now.states);
  EXPECT_LT(counted.without.node_states, diagnosis.now.node_states);
  EXPECT_EQ(diagnosis.all.states, patient.samples[0]->state_count());
  const FieldFindings& mode = patient.Find(diagnosis, "mode");
  EXPECT_THAT(mode.influence.behaviour, ElementsAre("what is sent"));
  EXPECT_THAT(mode.influence.example, HasSubstr("mode "));
  EXPECT_THAT(mode.influence.example, HasSubstr("what is sent"));
  const FieldFindings& left = patient.Find(diagnosis, "left");
  EXPECT_THAT(left.influence.behaviour, testing::Contains("what it does by itself"));
}

// What a search counts that leaves the field out.
TEST(DiagnosisTest, WhatIsLeftIsWhatASearchWouldCount) {
  struct Leaner : model::ForwardingService {
    using ForwardingService::ForwardingService;
    bool has_auxiliary() const override { return true; }
    std::string Relevant(const std::string& state) const override {
      auto decoded = *model::Decode<MixedProtocol::State>(state);
      decoded.counted = 0;
      return model::Encode(decoded);
    }
  };
  Patient patient;
  patient.Add("strict", MixedProtocol{.strict = true});
  const Diagnosis diagnosis = patient.Run();
  const Leaner leaner(*patient.services[0]);
  model::Budget budget = model::Budget::Unlimited();
  SearchOptions options;
  options.all_invariants = true;
  const auto report =
      MakeGlobalExplorer(leaner, options)->Explore(model::InitialCut(leaner), budget);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(diagnosis.suggestion.without.states, *report->stats.global_states);
}

TEST(DiagnosisTest, AFunctionOfAnotherFieldIsNamed) {
  Patient patient;
  patient.Add("strict", MixedProtocol{.strict = true});
  const Diagnosis diagnosis = patient.Run();
  EXPECT_THAT(patient.Names(patient.Find(diagnosis, "twice").function_of), ElementsAre("value"));
  EXPECT_EQ(patient.Find(diagnosis, "twice").without.node_states, diagnosis.now.node_states);
  EXPECT_THAT(patient.Find(diagnosis, "mode").function_of, IsEmpty());
}

TEST(DiagnosisTest, WhatOnlyAnInvariantReadsIsToldApart) {
  Patient patient;
  patient.Add("strict", MixedProtocol{.strict = true});
  const Diagnosis diagnosis = patient.Run();
  const FieldFindings& seen = patient.Find(diagnosis, "seen");
  EXPECT_TRUE(seen.is_for_invariants);
  EXPECT_THAT(seen.influence.behaviour, IsEmpty());
  EXPECT_THAT(seen.influence.invariants, ElementsAre("unseen"));
  EXPECT_FALSE(patient.Find(diagnosis, "mode").is_for_invariants);
  EXPECT_FALSE(patient.Find(diagnosis, "counted").is_for_invariants);
  EXPECT_FALSE(patient.Find(diagnosis, "fixed").varies);
}

// One scenario would say that the field can go; both together do not.
TEST(DiagnosisTest, AFieldThatMattersInOneScenarioOnlyIsKept) {
  Patient lax;
  lax.Add("lax", MixedProtocol{});
  EXPECT_THAT(lax.Names(lax.Run().suggestion.fields), UnorderedElementsAre("counted", "mode"));

  Patient both;
  both.Add("lax", MixedProtocol{});
  both.Add("strict", MixedProtocol{.strict = true});
  const Diagnosis diagnosis = both.Run();
  EXPECT_THAT(both.Names(diagnosis.suggestion.fields), ElementsAre("counted"));
  const auto& tallies = both.Find(diagnosis, "mode").influence.by_scenario;
  EXPECT_EQ(tallies.at("lax").influenced, 0u);
  EXPECT_GT(tallies.at("lax").trials, 0u);
  EXPECT_GT(tallies.at("strict").influenced, 0u);
}

// A log of records, and their number, which saves nothing.
TEST(DiagnosisTest, AContainerThatNobodyReadsIsSuggestedAsAWhole) {
  Patient patient;
  patient.Add("notes", MixedProtocol{.strict = true, .keeps_notes = true});
  const Diagnosis diagnosis = patient.Run();
  EXPECT_THAT(patient.Names(diagnosis.suggestion.fields),
              UnorderedElementsAre("counted", "notes"));
  EXPECT_EQ(patient.Find(diagnosis, "noted").influence.trials, 0u) << "a function of notes";
  EXPECT_THAT(patient.Find(diagnosis, "notes[].value").influence.behaviour, IsEmpty());
}

// The majority of three copies, of which one at most was ever spoilt: none matters alone.
struct CopiesProtocol {
  struct State {
    uint32_t a = 0, b = 0, c = 0;
    bool spoilt = false;
    uint32_t age = 0;
    FORETELL_FIELDS(a, b, c, spoilt, age)
  };
  struct Write {
    uint32_t value = 0;
    FORETELL_FIELDS(value)
  };
  struct Spoil {
    uint32_t which = 0;
    FORETELL_FIELDS(which)
  };
  using Message = Write;
  using Action = std::variant<Write, Spoil>;

  uint32_t node_count() const { return 1; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    std::vector<Action> actions;
    if (state.age < 12) actions = {Write{0}, Write{1}, Write{2}};
    for (uint32_t which = 0; which < 3 && !state.spoilt; ++which) actions.push_back(Spoil{which});
    return actions;
  }
  void OnAction(State& state, const Action& action, model::Context<Message>&) const {
    if (const auto* spoil = std::get_if<Spoil>(&action)) {
      state.spoilt = true;
      (spoil->which == 0 ? state.a : spoil->which == 1 ? state.b : state.c) = 9;
      return;
    }
    ++state.age;
    const uint32_t majority = state.b == state.c ? state.b : state.a;
    state.age += majority % 2;
    state.a = state.b = state.c = std::get<Write>(action).value;
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

TEST(DiagnosisTest, CopiesThatDoNotMatterAloneAreNotLeftOutTogether) {
  Patient patient;
  EXPECT_TRUE(patient.Add("copies", CopiesProtocol{}).complete());
  const Diagnosis diagnosis = patient.Run();
  for (const char* copy : {"a", "b", "c"}) {
    EXPECT_EQ(patient.Find(diagnosis, copy).influence.influenced, 0u) << copy;
    EXPECT_GT(patient.Find(diagnosis, copy).influence.trials, 0u) << copy;
  }
  EXPECT_EQ(diagnosis.suggestion.fields.size(), 1u)
      << testing::PrintToString(patient.Names(diagnosis.suggestion.fields));
}

TEST(DiagnosisTest, AServiceThatIsNotDeterministicIsNotExamined) {
  Patient patient;
  const Sample& sample = patient.Add("random", MixedProtocol{.deterministic = false});
  ASSERT_TRUE(sample.nondeterminism().has_value());
  EXPECT_THAT(*sample.nondeterminism(), HasSubstr("two different states"));
}

TEST(DiagnosisTest, FewTrialsAreNotEnough) {
  Patient patient;
  patient.Add("strict", MixedProtocol{.strict = true}, 12);
  EXPECT_THAT(patient.Run().suggestion.fields, IsEmpty());
}

TEST(DiagnosisTest, ASpentBudgetEndsIt) {
  Patient patient;
  patient.Add("strict", MixedProtocol{.strict = true});
  model::Budget none({.steps_max = 1}, [] { return model::Budget::Time{}; });
  ASSERT_TRUE(none.TakeStep());
  EXPECT_FALSE(none.TakeStep());
  const Diagnosis diagnosis = Diagnose(patient.samples, patient.table, 4'000, none);
  EXPECT_FALSE(diagnosis.in_time);
  EXPECT_THAT(diagnosis.suggestion.fields, IsEmpty());
}

TEST(FieldTableTest, ElementsShareAFieldAndKnowTheirPlaces) {
  FieldTable table;
  const uint32_t first = table.LeafOf("log[0].vote.ballot");
  const uint32_t second = table.LeafOf("log[Key(a=1, b=[2])].vote.ballot");
  EXPECT_NE(first, second);
  EXPECT_EQ(table.leaf(first).fields, table.leaf(second).fields);
  EXPECT_THAT(table.leaf(first).fields, ElementsAre(0, 1, 2));
  EXPECT_EQ(table.leaf(first).single, 1u);
  EXPECT_EQ(table.name(0), "log");
  EXPECT_EQ(table.name(1), "log[].vote");
  EXPECT_EQ(table.name(2), "log[].vote.ballot");
  EXPECT_TRUE(table.IsWithin(2, 0));
  EXPECT_FALSE(table.IsWithin(0, 2));
  EXPECT_TRUE(table.has_parts(1));
  EXPECT_FALSE(table.has_parts(2));
  EXPECT_EQ(table.LeafOf("log[0].vote.ballot"), first);
}

}  // namespace
}  // namespace foretell::search
