#include "foretell/agent/sidecar/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/sidecar/config/keys.h"

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

// Sets `key` to something that is not its default.
Config Changed(const ConfigKey& key) {
  for (const char* value : {"7", "7s", "7MiB", "enforce", "127.0.0.1:7", "lmc", "always"}) {
    Config config;
    if (key.value.set(config, value).ok() && key.value.get(config) == value) return config;
  }
  ADD_FAILURE() << key.name << " takes none of the values of this test";
  return {};
}

TEST(ConfigTest, EachKeyIsAMemberOfItsOwn) {
  for (const ConfigKey& key : AllConfigKeys()) {
    const Config changed = Changed(key);
    for (const ConfigKey& other : AllConfigKeys()) {
      if (key.name == other.name) continue;
      EXPECT_EQ(other.value.get(changed), other.value.get({})) << key.name << ", " << other.name;
    }
  }
}

TEST(ConfigTest, DefaultsAreThoseOfAFreshConfig) {
  for (const ConfigKey& key : AllConfigKeys()) {
    const std::string standard = key.value.get({});
    if (standard.empty()) continue;
    Config config = Changed(key);
    EXPECT_TRUE(key.value.set(config, standard).ok()) << key.name << ": " << standard;
    EXPECT_EQ(key.value.get(config), standard);
  }
  const std::string help = ConfigKeys();
  EXPECT_THAT(help, HasSubstr("  rounds.period           from one round to the next; 1s\n"));
  EXPECT_THAT(help, HasSubstr("  rounds.memory_max       for the search of one round; 1GiB\n"));
  EXPECT_THAT(help, HasSubstr("in this order, dir as well; known, por, lmc, consequence\n"));
  EXPECT_THAT(help, HasSubstr("enforce or guard; observe\n"));
  EXPECT_THAT(help, HasSubstr("  archive.path            file for all cuts; none\n"));
}

TEST(ConfigTest, WhatIsNotThereIsMissedWhateverKeyNamesIt) {
  using Form = ConfigKey::Form;
  for (const ConfigKey& key : AllConfigKeys()) {
    Config config;
    if (!key.value.set(config, "/no/folder/file").ok()) continue;
    const Form form = key.value.form;
    const bool file = form == Form::kFile || form == Form::kNewFile || form == Form::kFolder;
    EXPECT_EQ(MissingFiles(config).size(), file ? 1u : 0u) << key.name;
  }
}

}  // namespace
}  // namespace foretell::agent
