// What an agent would refuse, or take for something else, is refused when its configuration is
// read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "foretell/agent/commands/command_line.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/run_sidecar.h"
#include "foretell/integration/catalog.h"

namespace foretell::agent {
namespace {

using snapshot::Mode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Eleven lines.
constexpr const char* kThree = R"([service]
name = "paxos"
[[nodes]]
id = 0
address = "unix:/x/0"
[[nodes]]
id = 1
address = "unix:/x/1"
[[nodes]]
id = 2
address = "unix:/x/2"
)";

absl::StatusOr<ResolvedConfig> Read(const std::string& text, const Overrides& overrides = {}) {
  auto config = ParseConfig("a.toml", text, overrides);
  if (!config.ok()) return config.status();
  return ResolveConfig(*std::move(config), integration::BuiltinServices());
}
std::string MistakeIn(const std::string& more, const Overrides& overrides = {}) {
  return std::string(Read(kThree + more, overrides).status().message());
}
std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(ConfigMistakesTest, EnginesAreKnownAndThereIsOne) {
  EXPECT_THAT(MistakeIn("[rounds]\nengines = [\"known\", \"lcm\"]\n"),
              HasSubstr("a.toml:13:11: rounds.engines: unknown engine 'lcm': did you mean 'lmc'?"));
  EXPECT_THAT(MistakeIn("[rounds]\nengines = []\n"),
              HasSubstr("a.toml:13:11: rounds.engines: is empty"));
  EXPECT_EQ(MistakeIn("[rounds]\nengines = [\"known\", \"dir\"]\n"), "");
}

TEST(ConfigMistakesTest, WhereToListenIsHostAndPort) {
  for (const char* wrong : {"nonsense", "127.0.0.1", "127.0.0.1:99999", ":80"}) {
    EXPECT_THAT(MistakeIn("[health]\nlisten = \"" + std::string(wrong) + "\"\n"),
                HasSubstr("a.toml:13:10: health.listen: '" + std::string(wrong) + "' is not HOST"));
  }
  EXPECT_EQ(MistakeIn("[health]\nlisten = \"[::1]:9464\"\n"), "");
  EXPECT_THAT(MistakeIn("[kill_switch]\nsocket = \"/" + std::string(200, 'x') + "\"\n"),
              HasSubstr("a.toml:13:10: kill_switch.socket"));
}

TEST(ConfigMistakesTest, NodesOfOtherMachinesNeedTls) {
  const std::string far = Replaced(kThree, "unix:/x/1", "tcp:10.0.0.1:7400");
  EXPECT_THAT(std::string(Read(far).status().message()),
              HasSubstr("a.toml:8:11: nodes.address: tcp:10.0.0.1:7400 is not on this machine"));
  const std::string files = "[tls]\ncertificate = \"c\"\nkey = \"k\"\n";
  EXPECT_THAT(std::string(Read(far + files).status().message()),
              testing::AllOf(HasSubstr("tls.key: is of no use without tls.authority"),
                             testing::Not(HasSubstr("nodes.address"))));
  EXPECT_TRUE(Read(far + files + "authority = \"a\"\n").ok());
}

TEST(ConfigMistakesTest, NobodyIsTwoNodes) {
  EXPECT_THAT(
      std::string(Read(Replaced(kThree, "unix:/x/2", "unix:/x/0")).status().message()),
      HasSubstr("a.toml:11:11: nodes.address: node 2 has the address of node 0, unix:/x/0"));
}

TEST(ConfigMistakesTest, AFileHasOnePurpose) {
  EXPECT_THAT(MistakeIn("[archive]\npath = \"/var/x\"\n[audit]\npath = \"/var/./x\"\n"),
              HasSubstr("a.toml:15:8: audit.path: /var/./x is archive.path already"));
  EXPECT_THAT(MistakeIn("[kill_switch]\nsocket = \"/x/1\"\n"),
              HasSubstr("kill_switch.socket: /x/1 is the socket of node 1 already"));
}

TEST(ConfigMistakesTest, TimesFitTogether) {
  EXPECT_THAT(
      MistakeIn("[rounds]\nperiod = \"10s\"\n[veto]\nlease = \"5s\"\n"),
      HasSubstr("a.toml:15:9: veto.lease: 5s is shorter than rounds.period, 10s: every veto "
                "would end before it is renewed"));
  EXPECT_EQ(MistakeIn("[rounds]\nperiod = \"10s\"\n"), "") << "nothing is vetoed";
  EXPECT_THAT(MistakeIn("[rounds]\nperiod = \"10s\"\n[invariants]\nagreement = \"enforce\"\n"),
              HasSubstr("veto.lease: 5s is shorter than rounds.period, 10s"));
}

TEST(ConfigMistakesTest, KindsAreNotMixed) {
  EXPECT_THAT(MistakeIn("[archive]\npath = 3\n"),
              HasSubstr("a.toml:13:8: archive.path: must be a text in quotes"));
  EXPECT_THAT(MistakeIn("[archive]\npath = [\"x\"]\n"), HasSubstr("must be a text in quotes"));
  EXPECT_THAT(MistakeIn("[rounds]\nthreads = [\"2\"]\n"), HasSubstr("must be a number"));
  EXPECT_THAT(MistakeIn("[rounds]\nengines = 7\n"), HasSubstr("must be a list of texts"));
  EXPECT_THAT(MistakeIn("[invariants]\nagreement = true\n"), HasSubstr("must be a text"));
  EXPECT_THAT(MistakeIn("steer = \"false\"\n"),
              HasSubstr("a.toml:12:9: nodes.steer: must be true or false"));
  EXPECT_THAT(MistakeIn("[round]\n"), HasSubstr("unknown section 'round': did you mean 'rounds'?"));
}

TEST(ConfigMistakesTest, WhatTheServiceSaysHasAPlaceToo) {
  EXPECT_THAT(std::string(Read(Replaced(kThree, "paxos", "pxos")).status().message()),
              HasSubstr("a.toml:2:8: service.name: unknown service 'pxos'"));
  EXPECT_THAT(
      std::string(
          Read(Replaced(kThree, "\"paxos\"", "\"paxos\"\nscenario = \"no\"")).status().message()),
      HasSubstr("a.toml:3:12: service.scenario: unknown scenario 'no'"));
  EXPECT_THAT(
      MistakeIn("[[nodes]]\nid = 3\naddress = \"unix:/x/3\"\n[invariants]\nagrement = \"off\""),
      HasSubstr("a.toml:3:1: nodes: paxos has 3 nodes, the configuration names 4\n"
                "a.toml:16:12: invariants.agrement: unknown invariant"));
}

TEST(ConfigMistakesTest, VariablesReachInvariants) {
  Overrides overrides;
  overrides.environment["FORETELL_INVARIANTS_LOCAL_ASSERTIONS"] = "enforce";
  overrides.environment["FORETELL_INVARIANTS_AGREEMENT"] = "shadow";
  const std::string text = std::string(kThree) + "[invariants]\nagreement = \"off\"\n";
  const auto resolved = Read(text, overrides);
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_EQ(resolved->config.ModeOf("agreement"), Mode::kShadow);
  EXPECT_EQ(resolved->config.ModeOf("local-assertions"), Mode::kEnforce);
  overrides.settings = {{"invariants.agreement", "observe"}};
  EXPECT_EQ(Read(text, overrides)->config.ModeOf("agreement"), Mode::kObserve) << "flags win";
  overrides.environment["FORETELL_INVARIANTS_AGREMENT"] = "shadow";
  EXPECT_THAT(MistakeIn("", overrides),
              HasSubstr("FORETELL_INVARIANTS_AGREMENT: unknown invariant 'AGREMENT': did you mean "
                        "'agreement'?"));
  overrides.environment = {{"FORETELL_INVARIANTS_AGREEMENT", "on"}};
  EXPECT_THAT(MistakeIn("", overrides), HasSubstr("FORETELL_INVARIANTS_AGREEMENT: mode \"on\""));
}

TEST(ConfigMistakesTest, UnknownVariablesOfASectionAreWarnedOf) {
  Overrides overrides;
  overrides.environment = {{"FORETELL_ROUNDS_PEROD", "2s"},
                           {"FORETELL_NODES_0", "unix:/x"},
                           {"FORETELL_SELFTEST_COUNT", "9"},
                           {"FORETELL_DIR_COUNT", "9"},
                           {"ROUNDS_PEROD", "2s"}};
  const auto resolved = Read(kThree, overrides);
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_THAT(resolved->config.warnings,
              ElementsAre("FORETELL_NODES_0: is ignored: nodes are only read from the file",
                          HasSubstr("FORETELL_ROUNDS_PEROD: is ignored: unknown key "
                                    "'rounds.perod': did you mean 'rounds.period'?")));
}

class ValidateTest : public testing::Test {
 protected:
  // Exit code and what is on stderr, of the configuration kThree and `more`.
  std::pair<int, std::string> Validate(const std::string& more) {
    std::string folder = testing::TempDir() + "/validateXXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    const std::string file = folder + "/a.toml";
    std::ofstream(file) << kThree << more;
    Parts parts{integration::BuiltinServices(), predictors::AllEngines()};
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err};
    const int code = RunForetell({"validate", "--config", file}, parts, console);
    std::filesystem::remove_all(folder);
    return {code, Replaceds(err.str(), file, "a.toml")};
  }

 private:
  static std::string Replaceds(std::string text, const std::string& from, const std::string& to) {
    while (text.find(from) != std::string::npos) text = Replaced(text, from, to);
    return text;
  }
};

TEST_F(ValidateTest, EveryMistakeHasItsLineInTheOrderOfTheFile) {
  const auto [code, said] = Validate(
      "[veto]\nlease = \"1y\"\n[rounds]\nperiod = \"\"\"1\nx\"\"\"\n[archive]\npath = 3\n"
      "[tls]\nkey = \"k\"\n");
  EXPECT_EQ(code, 2);
  std::vector<std::string> starts;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    starts.push_back(line.substr(0, line.find(": ", std::string("foretell: ").size())));
  }
  EXPECT_THAT(starts, ElementsAre("foretell: a.toml:13:9", "foretell: a.toml:15:10",
                                  "foretell: a.toml:18:8", "foretell: a.toml:20:7"))
      << said;
  EXPECT_THAT(said, HasSubstr("'1\\x0ax'")) << "a line break of the user's stays in its line";
}

TEST_F(ValidateTest, AFolderThatIsMissingIsAWarning) {
  const auto [code, said] =
      Validate("[audit]\npath = \"/no/folder/audit.jsonl\"\n[kill_switch]\nfile = \"kill\"\n");
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said, "foretell: warning: a.toml:13:8: audit.path: there is no folder /no/folder\n");
  EXPECT_THAT(Validate("").second, IsEmpty());
}

}  // namespace
}  // namespace foretell::agent
