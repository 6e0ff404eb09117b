#include "foretell/agent/sidecar/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/console/files.h"
#include "foretell/agent/sidecar/config/keys.h"
#include "foretell/agent/sidecar/run_sidecar.h"
#include "foretell/integration/catalog.h"

namespace foretell::agent {
namespace {

using snapshot::Mode;
using testing::HasSubstr;

constexpr const char* kSmall = R"([service]
name = "paxos"
[[nodes]]
id = 0
address = "unix:/run/foretell/0.sock"
)";

absl::StatusOr<Config> Parse(const std::string& text, const Overrides& overrides = {}) {
  return ParseConfig("agent.toml", text, overrides);
}
std::string MistakeIn(const std::string& text, const Overrides& overrides = {}) {
  return std::string(Parse(text, overrides).status().message());
}

TEST(ConfigTest, DefaultsAreSafe) {
  const auto config = Parse(kSmall);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->ModeOf("agreement"), Mode::kObserve);
  EXPECT_EQ(config->period, std::chrono::seconds(1));
  EXPECT_EQ(config->steps_max, UINT64_MAX);
  ASSERT_EQ(config->nodes.size(), 1u);
  EXPECT_TRUE(config->nodes[0].steer);
}

TEST(ConfigTest, ReadsAllKinds) {
  const auto config = Parse(std::string(kSmall) + R"(
[[nodes]]
id = 1
address = "tcp:127.0.0.1:9000"
steer = false
[rounds]
period = "2s"
steps_max = 5000
cpu_max = 0.25
threads = 1
engines = ["known", "lmc", "dir"]
[invariants]
default = "shadow"
agreement = "enforce"
)");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->nodes[1].address.port, 9000);
  EXPECT_FALSE(config->nodes[1].steer);
  EXPECT_EQ(config->steps_max, 5000u);
  EXPECT_EQ(config->cpu_max, 0.25);
  EXPECT_EQ(config->threads, 1u);
  EXPECT_EQ(config->engines, (std::vector<std::string>{"known", "lmc", "dir"}));
  EXPECT_EQ(config->ModeOf("agreement"), Mode::kEnforce);
  EXPECT_EQ(config->ModeOf("other"), Mode::kShadow);
}

TEST(ConfigTest, LaterSourcesWin) {
  Overrides overrides;
  overrides.environment["FORETELL_ROUNDS_PERIOD"] = "3s";
  EXPECT_EQ(Parse(kSmall, overrides)->period, std::chrono::seconds(3));
  overrides.settings = {{"rounds.period", "4s"}, {"invariants.agreement", "enforce"}};
  EXPECT_EQ(Parse(kSmall, overrides)->period, std::chrono::seconds(4));
  EXPECT_EQ(Parse(kSmall, overrides)->ModeOf("agreement"), Mode::kEnforce);
  EXPECT_NE(Parse(kSmall, overrides)->hash, Parse(kSmall)->hash);
}

TEST(ConfigTest, MistakesAreNamedWithTheirLines) {
  const std::string text = std::string(kSmall) +
                           "[rounds]\n"
                           "perod = \"1s\"\n"
                           "budget = \"1x\"\n"
                           "[invariants]\n"
                           "agreement = \"enfroce\"\n";
  const std::string mistakes = MistakeIn(text);
  EXPECT_THAT(mistakes, HasSubstr("agent.toml:7:9: rounds.perod: unknown key 'rounds.perod': did "
                                  "you mean 'rounds.period'?"));
  EXPECT_THAT(mistakes, HasSubstr("agent.toml:8:10: rounds.budget"));
  EXPECT_THAT(mistakes, HasSubstr("agent.toml:10:13: invariants.agreement"));
}

TEST(ConfigTest, NodesAreCheckedTogether) {
  EXPECT_THAT(MistakeIn("[service]\nname = \"paxos\"\n"), HasSubstr("no [[nodes]] entry"));
  EXPECT_THAT(MistakeIn(std::string(kSmall) + "[[nodes]]\nid = 2\naddress = \"unix:/x\"\n"),
              HasSubstr("node 1 is missing"));
  EXPECT_THAT(MistakeIn(std::string(kSmall) + "[[nodes]]\nid = 0\naddress = \"unix:/x\"\n"),
              HasSubstr("node 0 is there twice"));
  EXPECT_THAT(MistakeIn(std::string(kSmall) + "[[nodes]]\nid = 1\naddress = \"udp:x\"\n"),
              HasSubstr("nodes.address"));
  EXPECT_THAT(MistakeIn("nodes = 3\n"), HasSubstr("[[nodes]]"));
}

TEST(ConfigTest, SyntaxErrorsHaveALine) {
  EXPECT_THAT(MistakeIn("[service\nname = 3"), HasSubstr("agent.toml:1:"));
}

TEST(ConfigTest, OverridesAreJudgedLikeTheFile) {
  Overrides overrides;
  overrides.environment["FORETELL_ROUNDS_CPU_MAX"] = "all";
  overrides.settings = {{"rounds.nothing", "1"}};
  const std::string mistakes = MistakeIn(kSmall, overrides);
  EXPECT_THAT(mistakes, HasSubstr("FORETELL_ROUNDS_CPU_MAX: 'all' is not a share of a core"));
  EXPECT_THAT(mistakes, HasSubstr("--set rounds.nothing: unknown key"));
}

TEST(ConfigTest, EveryKeyIsDescribed) {
  for (const ConfigKey& key : AllConfigKeys()) {
    EXPECT_FALSE(key.text.empty()) << key.name;
    EXPECT_THAT(ConfigKeys(), HasSubstr(key.name));
  }
}

TEST(ConfigTest, TheExampleIsValid) {
  const auto text = ReadFile(std::string(FORETELL_OPS) + "/agent.toml");
  ASSERT_TRUE(text.ok()) << text.status();
  const auto config = Parse(*text);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->nodes.size(), 3u);
  EXPECT_EQ(config->ModeOf("agreement"), Mode::kObserve) << "nothing is vetoed by default";
  EXPECT_TRUE(MakeWatch(*config, integration::BuiltinServices()).ok());
}

}  // namespace
}  // namespace foretell::agent
