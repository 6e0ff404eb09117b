// `foretell check --property --from` an archive of a run: every cut of it is judged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/escaping.h"
#include "foretell/agent/commands/command_line.h"
#include "foretell/integration/catalog.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

struct Result {
  int code;
  std::string out;
  std::string err;
};

class RecordedLivenessTest : public testing::Test {
 protected:
  Result Run(std::vector<std::string> args) {
    agent::Parts parts{integration::BuiltinServices(), predictors::AllEngines()};
    std::ostringstream out;
    std::ostringstream err;
    agent::Console::Time now{};
    agent::Console console{.out = out,
                           .err = err,
                           .out_style = {.utf8 = true, .columns = 200},
                           .err_style = {.utf8 = true},
                           .now = [&now] { return now; },
                           .interrupted = [] { return false; }};
    const int code = agent::RunForetell(args, parts, console);
    return {code, out.str(), err.str()};
  }
  Result Check(const std::string& from, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"check",     "transport", "--property",
                                     "all-acked", "--from",    from};
    args.insert(args.end(), more.begin(), more.end());
    return Run(args);
  }
  static std::string Version() {
    for (const auto& family : integration::BuiltinServices()) {
      if (family->name() == "transport") return family->version();
    }
    return "";
  }

  static model::System Transport() {
    const auto families = integration::BuiltinServices();
    const auto family = std::find_if(families.begin(), families.end(),
                                     [](const auto& f) { return f->name() == "transport"; });
    return *(*family)->Make("one-give-up", "stale-syn");
  }
  // The way into its death.
  model::Path StaleSyn() {
    const std::string report = folder_.File("report.json");
    EXPECT_EQ(Run({"check", "transport", "--property", "all-acked", "--scenario", "one-give-up",
                   "--bug", "stale-syn", "--json", report})
                  .code,
              1);
    model::Path path;
    const Json record = Json::parse(snapshot::Contents(report));
    for (const Json& step : record["violations"][0]["steps"]) path.push_back(StepOf(step));
    return path;
  }
  // A bundle that says: after this path all-acked is dead, proved with 8 states.
  std::string BundleOf(const model::Path& path) {
    model::Death death{.critical_step = path.size()};
    death.proof = {model::DeathProof::How::kClosed, 8, true};
    snapshot::Bundle bundle{
        .recorded = {.taken = snapshot::UnixTime(std::chrono::seconds(1'700'000'000)),
                     .origin = {"transport", "one-give-up", "stale-syn", Version(), "0.1.0"}},
        .imagined = Transport().start,
        .invariant = "all-acked",
        .path = path,
        .engine = "live",
        .death = std::make_shared<model::Death>(death)};
    bundle.recorded.snapshot.cut = bundle.imagined;
    const std::string file = folder_.File("death.foretell");
    EXPECT_EQ(snapshot::WriteBundle(file, bundle), absl::OkStatus());
    return file;
  }

  // Records the stale SYN of the MaceMC paper's section 5 after each of `lengths` steps.
  void Record(const std::vector<size_t>& lengths) {
    const model::Path path = StaleSyn();
    const auto writer = snapshot::ArchiveWriter::Open(archive_, {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    const model::System system = Transport();
    for (size_t i = 0; i < lengths.size(); ++i) {
      model::PlainSystem plain(*system.service, system.start);
      for (size_t step = 0; step < lengths[i]; ++step) ASSERT_TRUE(plain.Apply(path[step]).ok());
      snapshot::RecordedSnapshot recorded{
          .taken = snapshot::UnixTime(std::chrono::seconds(1'700'000'000 + i)),
          .origin = {"transport", "one-give-up", "stale-syn", Version(), "0.1.0"}};
      recorded.snapshot.number = 40 + i;
      recorded.snapshot.cut = plain.state();
      ASSERT_EQ((*writer)->Append(recorded), absl::OkStatus());
    }
  }
  static model::PathStep StepOf(const Json& json) {
    model::PathStep step{.node = model::NodeId(json["node"].get<uint32_t>())};
    const std::string kind = json["kind"];
    for (const model::EventKind each : {model::EventKind::kDeliver, model::EventKind::kAction}) {
      if (kind == model::KindName(each)) step.event.kind = each;
    }
    if (!json["peer"].is_null()) step.event.peer = model::NodeId(json["peer"].get<uint32_t>());
    step.event.body = absl::HexStringToBytes(json["body"].get<std::string>());
    step.choices = json["choices"].get<std::vector<uint32_t>>();
    return step;
  }

  const snapshot::TempFolder folder_;
  const std::string archive_ = folder_.File("run.ftl");
};

TEST_F(RecordedLivenessTest, TheDeathLiesBetweenTwoCuts) {
  Record({0, 2, 3, 5, 5});
  const std::string file = folder_.File("out.json");
  const Result result = Check(archive_, {"--json", file});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Recorded cuts: 4, 1 live, 2 recovers, 1 dead. Dead since "
                                    "snapshot 44, not yet at snapshot 42, where the path starts."));
  EXPECT_THAT(result.out, HasSubstr("critical: step 2 (C1)"));
  const Json json = Json::parse(snapshot::Contents(file));
  EXPECT_EQ(json["verdict"], "dead");
  EXPECT_EQ(json["condition"], "C1");
  EXPECT_EQ(json["critical_interval"], Json::array({1, 2}));
  EXPECT_EQ(json["from_cut"], 42);
  ASSERT_EQ(json["recorded_cuts"].size(), 4u);
  EXPECT_EQ(json["recorded_cuts"][0]["fate"], "live");
  EXPECT_EQ(json["recorded_cuts"][3]["number"], 44);
  EXPECT_EQ(json["recorded_cuts"][3]["fate"], "dead");
  EXPECT_EQ(Run({"explain", file}).code, 0);
}

// The word of a file is no proof.
TEST_F(RecordedLivenessTest, ADeathIsProvedAgainWhenItsBundleIsReplayed) {
  const model::Path path = StaleSyn();
  const Result dead = Run({"replay", BundleOf(path)});
  EXPECT_EQ(dead.code, 1) << dead.err;
  EXPECT_THAT(dead.out, HasSubstr("Reproduced"));
  EXPECT_THAT(dead.out, HasSubstr("proof:    2 states, local"));
  EXPECT_THAT(dead.out, HasSubstr("critical: step 5"));
  EXPECT_THAT(dead.out, HasSubstr("instead:  "));
  const Result alive = Run({"replay", BundleOf({path.begin(), path.end() - 1})});
  EXPECT_EQ(alive.code, 0) << alive.err;
  EXPECT_THAT(alive.out, HasSubstr("NOT reproduced: the path replays, but where it ends all-acked "
                                   "is not dead any more"));
}

TEST_F(RecordedLivenessTest, TheSameSeedSaysTheSame) {
  Record({0, 3, 4});
  const Result first = Check(archive_, {"--seed", "7"});
  const Result again = Check(archive_, {"--seed", "7"});
  EXPECT_EQ(first.code, 1) << first.err;
  EXPECT_EQ(first.out.substr(0, first.out.find("transport, scenario")),
            again.out.substr(0, again.out.find("transport, scenario")));
}

TEST_F(RecordedLivenessTest, OneCutIsJudgedAlone) {
  Record({0, 5});
  const Result dead = Check(archive_ + "#41");
  EXPECT_EQ(dead.code, 1) << dead.err;
  EXPECT_THAT(dead.out, HasSubstr("Dead from the start"));
  EXPECT_THAT(dead.out, testing::Not(HasSubstr("Recorded cuts")));
  EXPECT_THAT(Check(archive_ + "#40").out, HasSubstr("critical: step 5 (C1)"));
}

TEST_F(RecordedLivenessTest, WeightsThatNodesCountedChangeNoWord) {
  Record({0, 3, 5});
  const std::string weights = folder_.File("counted");
  snapshot::WriteContents(weights, "deliver Data 90\ndeliver Ack 80\ntimer Retransmit 3\n.\n");
  const std::string usual = folder_.File("usual.json");
  const std::string measured = folder_.File("measured.json");
  EXPECT_EQ(Check(archive_, {"--json", usual}).code, 1);
  EXPECT_EQ(Check(archive_, {"--weights", weights, "--json", measured}).code, 1);
  Json a = Json::parse(snapshot::Contents(usual));
  Json b = Json::parse(snapshot::Contents(measured));
  for (Json* json : {&a, &b}) json->erase("stats");
  EXPECT_EQ(a, b);
  snapshot::WriteContents(weights, "deliver Data many\n");
  EXPECT_THAT(Check(archive_, {"--weights", weights}).err,
              HasSubstr("line 1: 'deliver Data many' is no event and its count"));
  snapshot::WriteContents(weights, ".\n");
  EXPECT_THAT(Check(archive_, {"--weights", weights}).err,
              HasSubstr("has no event that ever happened"));
}

}  // namespace
}  // namespace foretell::tests
