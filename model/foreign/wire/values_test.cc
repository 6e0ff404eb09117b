#include "foretell/model/foreign/wire/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "foretell/model/foreign/wire/foretell_service.h"

namespace foretell::model::foreign {
namespace {

using ::testing::HasSubstr;

void Tag(Writer& out, uint32_t tag, const std::function<void(Writer&)>& value) {
  Writer bytes;
  value(bytes);
  out.U32(tag);
  out.Blob(bytes.bytes());
}

// A reply of each kind that a service can give, and how it is read.
struct Sample {
  std::string name;
  std::string bytes;
  std::function<void(Reader&)> read;
};

std::string ResultBytes() {
  Writer out;
  out.Blob("after");
  out.U32(1);  // One message ...
  out.U32(2);
  out.Blob("hello");
  out.U32(1);  // ... one choice among three ...
  out.U32(3);
  out.U32(1);
  out.Blob("the left way");
  out.U32(1);
  out.U32(7);
  out.Blob("");
  out.U32(1);  // ... and a timer.
  out.Blob("tick");
  return out.Take();
}

std::string FamiliesBytes() {
  Writer out;
  out.U32(FORETELL_SERVICE_ABI);
  out.U32(1);
  out.U32(5);
  out.U32(FORETELL_FAMILY_NAME);
  out.Blob("toy");
  Tag(out, FORETELL_FAMILY_PARAMETER, [](Writer& value) {
    value.Blob("clients");
    value.Blob("How many.");
    for (const int64_t number : {2, -1, 5}) value.I64(number);
  });
  Tag(out, FORETELL_FAMILY_FLAGS, [](Writer& value) { value.U32(FORETELL_HAS_JUDGE); });
  Tag(out, FORETELL_FAMILY_SCENARIO, [](Writer& value) {
    value.Blob("start");
    value.Blob("A start.");
  });
  Tag(out, 4711, [](Writer& value) { value.U64(1); });  // From the future.
  return out.Take();
}

std::string SystemBytes() {
  Writer out;
  out.U32(4);
  Tag(out, FORETELL_SYSTEM_NODE, [](Writer& value) {
    value.U32(1);
    value.U32(0);
    value.Blob("server");
  });
  Tag(out, FORETELL_SYSTEM_INVARIANT, [](Writer& value) {
    value.Blob("one-holder");
    value.Blob("One.");
    value.U32(1);
    value.U32(FORETELL_WHEN_STUCK);
  });
  Tag(out, FORETELL_SYSTEM_START, [](Writer& value) {
    SystemCut cut;
    cut.nodes = {{.faults = {{FaultKind::kCrash, 1}}, .body = "a"}, {.body = "b"}};
    cut.in_flight = {{NodeId(1), NodeId(0), "m"}};
    WriteCut(value, cut);
  });
  Tag(out, FORETELL_SYSTEM_NODES, [](Writer& value) { value.U32(2); });
  return out.Take();
}

std::string ImaginedBytes() {
  Writer out;
  const SystemCut cut{.nodes = {{.body = "x"}}, .in_flight = {}};
  out.U32(1);
  WriteCut(out, cut);
  WriteCut(out, cut);
  out.Blob("it goes on");
  return out.Take();
}

std::vector<Sample> Samples() {
  return {
      {"result", ResultBytes(), [](Reader& in) { ReadResult(in, 3, {}); }},
      {"families", FamiliesBytes(), [](Reader& in) { ReadFamilies(in); }},
      {"system", SystemBytes(),
       [](Reader& in) {
         std::string refused;
         ReadSystem(in, refused);
       }},
      {"imagined", ImaginedBytes(),
       [](Reader& in) {
         ReadImagined(in, 1);
         in.End();
       }},
  };
}

TEST(ValuesTest, ReadsAResult) {
  const std::string bytes = ResultBytes();
  Reader in(bytes);
  const HandlerResult result = ReadResult(in, 3, std::vector<uint32_t>{2});
  ASSERT_TRUE(in.ok()) << in.error();
  EXPECT_EQ(result.state, "after");
  EXPECT_EQ(result.sends, (std::vector<Send>{{NodeId(2), "hello"}}));
  EXPECT_EQ(result.choices_offered, std::vector<uint32_t>{3});
  EXPECT_EQ(result.choice_labels, std::vector<std::string>{"the left way"});
  EXPECT_EQ(result.choice_weights, std::vector<uint32_t>{7});
  EXPECT_EQ(result.restarted, std::vector<std::string>{"tick"});
}

TEST(ValuesTest, ReadsAFamilyAndIgnoresWhatItDoesNotKnow) {
  const std::string bytes = FamiliesBytes();
  Reader in(bytes);
  const std::vector<FamilyRecord> families = ReadFamilies(in);
  ASSERT_TRUE(in.ok()) << in.error();
  ASSERT_EQ(families.size(), 1u);
  EXPECT_EQ(families[0].named.name, "toy");
  EXPECT_TRUE(families[0].has_judge);
  EXPECT_FALSE(families[0].one_thread);
  EXPECT_EQ(families[0].parameters.at(0).min, -1);
  EXPECT_EQ(families[0].scenarios.at(0).name, "start");
}

// A user without a scenario has nothing to start from, and every family has a default one.
TEST(ValuesTest, AFamilyWithoutNameOrScenarioIsRefused) {
  for (const uint32_t tag : {FORETELL_FAMILY_NAME, FORETELL_FAMILY_SCENARIO}) {
    Writer out;
    out.U32(FORETELL_SERVICE_ABI);
    out.U32(1);
    out.U32(1);
    Tag(out, tag, [](Writer& value) {
      value.Blob("a");
      value.Blob("b");
    });
    const std::string bytes = out.Take();
    Reader in(bytes);
    ReadFamilies(in);
    ASSERT_FALSE(in.ok()) << "tag " << tag;
    EXPECT_THAT(in.error(), HasSubstr("without a name or without a scenario"));
  }
}

TEST(ValuesTest, ReadsASystemWhoseTagsComeInAnyOrder) {
  const std::string bytes = SystemBytes();
  Reader in(bytes);
  std::string refused;
  const SystemRecord system = ReadSystem(in, refused);
  ASSERT_TRUE(in.ok()) << in.error();
  ASSERT_EQ(system.nodes.size(), 2u);
  EXPECT_EQ(system.nodes[0].faults.crashes_max, 1);
  EXPECT_EQ(system.nodes[1].faults.crashes_max, 0);
  EXPECT_FALSE(system.invariants.at(0).stable);
  EXPECT_TRUE(system.invariants.at(0).when_stuck);
  EXPECT_EQ(system.start->in_flight.at(0).body, "m");
  EXPECT_EQ(system.start->nodes[0].faults[FaultKind::kCrash], 1);
}

TEST(ValuesTest, EveryReplyThatIsCutShortIsRefused) {
  for (const Sample& sample : Samples()) {
    for (size_t size = 0; size < sample.bytes.size(); ++size) {
      const std::string bytes = sample.bytes.substr(0, size);
      Reader in(bytes);
      sample.read(in);
      EXPECT_FALSE(in.ok()) << sample.name << " cut to " << size;
    }
    const std::string longer = sample.bytes + "x";
    Reader in(longer);
    sample.read(in);
    EXPECT_FALSE(in.ok()) << sample.name << " with one byte more";
  }
}

// Damaged replies are read or refused; nothing else happens to us.
TEST(ValuesTest, SurvivesDamage) {
  std::mt19937 random(45);
  for (const Sample& sample : Samples()) {
    for (int round = 0; round < 20'000; ++round) {
      std::string bytes = sample.bytes;
      for (uint32_t damage = random() % 4 + 1; damage > 0; --damage) {
        const size_t at = random() % bytes.size();
        switch (random() % 4) {
          case 0: bytes[at] = static_cast<char>(random()); break;
          case 1: bytes.replace(at, 4, "\xff\xff\xff\xff"); break;
          case 2: bytes.insert(at, 1, static_cast<char>(random())); break;
          default: bytes.erase(at, random() % 8); break;
        }
        if (bytes.empty()) bytes = "x";
      }
      Reader in(bytes);
      sample.read(in);
      EXPECT_TRUE(in.ok() || in.error().starts_with("reply of "));
    }
  }
}

std::string ErrorOf(std::vector<uint32_t> offered, std::vector<uint32_t> chosen) {
  Writer out;
  out.Blob("state");
  out.U32(0);
  out.List(offered, [&](uint32_t k) { out.U32(k); });
  out.U32(0);
  out.U32(0);
  out.Blob("");
  out.U32(0);
  Reader in(out.bytes());
  ReadResult(in, 1, chosen);
  return in.ok() ? "" : in.error();
}

TEST(ValuesTest, RefusesChoicesThatCannotBe) {
  EXPECT_EQ(ErrorOf({2, 3}, {1, 2}), "");
  EXPECT_THAT(ErrorOf({0}, {}), HasSubstr("one of 0 offered, 0 was chosen"));
  EXPECT_THAT(ErrorOf({2}, {2}), HasSubstr("one of 2 offered, 2 was chosen"));
  EXPECT_THAT(ErrorOf({1 << 16, 2}, {}), HasSubstr("131072 ways to go on, at most 65536"));
}

TEST(ValuesTest, SaysWhatIsWrongWithBothNumbers) {
  const std::string bytes(
      "\x90\x01\x00\x00"
      "12345678",
      12);
  Reader in(bytes);
  in.Blob("state");
  EXPECT_EQ(in.error(), "reply of 12 bytes: state: 400 bytes announced, 8 left");
}

}  // namespace
}  // namespace foretell::model::foreign
