#include "foretell/agent/formats/gtest_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/testing/named_toy.h"

// That it compiles, fails with the bug and passes without it is told by tests/explained.

namespace foretell::agent {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string TestOf(const std::string& scenario, const model::Path& path,
                   const std::vector<std::string>& plugins = {}, const std::string& says = "") {
  const model::System system = *ToyFamily().Make(scenario, "says-yes");
  const model::SystemCut fresh = ToyFamily().Make("fresh", "says-yes")->start;
  const model::System named{std::make_unique<NamedToy>(*system.service, says), system.start, ""};
  const auto text = WriteGtest({.service = "toy" + says,
                                .scenario = scenario + says,
                                .bug = "says-yes" + says,
                                .invariant = "never-elected" + says,
                                .why = "Broken by node 0." + says,
                                .system = named,
                                .start = fresh,
                                .path = path,
                                .plugins = plugins});
  EXPECT_TRUE(text.ok()) << text.status();
  return *text;
}

TEST(GtestPathTest, StepsAreKnownByTheirTexts) {
  const std::string text = TestOf("fresh", ToyPath());
  EXPECT_THAT(text, HasSubstr("TEST(ToyPath, KeepsNeverElected) {"));
  EXPECT_THAT(text, HasSubstr("    {\"action Campaign() at node 0\", {}, 0},\n"
                              "    {\"crash at node 2\", {}, 0},\n"
                              "    {\"deliver Ask(term=1) from node 0 at node 1\", {1}, 0},\n"));
  EXPECT_THAT(text, HasSubstr("bug = \"says-yes\";"));
  EXPECT_THAT(text, HasSubstr("BuiltinServices()"));
  EXPECT_THAT(text, HasSubstr("return system.start;"));
  EXPECT_THAT(text, Not(HasSubstr("$")));
}

TEST(GtestPathTest, AServiceOfAPluginIsLoaded) {
  const std::string text = TestOf("fresh", ToyPath(), {"my lib.so", "other.so"});
  EXPECT_THAT(text, HasSubstr("#define FORETELL_TEST_PLUGINS \"my lib.so\", \"other.so\"\n"));
  EXPECT_THAT(text, HasSubstr("model::LoadPlugin(path)"));
  EXPECT_THAT(text, Not(HasSubstr("BuiltinServices")));
}

TEST(GtestPathTest, AStartThatIsNotTheScenariosIsWrittenDown) {
  const std::string text = TestOf("asked", ToyPath());
  EXPECT_THAT(text, HasSubstr("  start.nodes.push_back({model::NodeStatus::kUp, Faults({0, 0}), "
                              "Bytes(\"000000\")});\n"));
}

TEST(GtestPathTest, APathThatDoesNotReplayIsRefused) {
  const model::System system = *ToyFamily().Make("fresh", "says-yes");
  const model::Path path = {ToyPath()[6]};
  const auto text = WriteGtest({.service = "toy",
                                .scenario = "fresh",
                                .bug = "",
                                .invariant = "never-elected",
                                .why = "",
                                .system = system,
                                .start = system.start,
                                .path = path,
                                .plugins = {}});
  EXPECT_THAT(std::string(text.status().message()), HasSubstr("not possible"));
}

// What a service says may not end a literal or a comment, nor be taken for a word of the template.
TEST(GtestPathTest, HostileTextStaysText) {
  const std::string text = TestOf("fresh", ToyPath(), {HostileText()}, HostileText());
  for (const unsigned char c : text) ASSERT_TRUE((c >= ' ' && c < 0x7f) || c == '\n');
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_NE(text[end - (end > at ? 1 : 0)], '\\') << text.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_THAT(text, HasSubstr("TEST(ToyTdScript"));
  EXPECT_THAT(text, HasSubstr("\\\"\\'\\001\\033\\000\\377"));
}

}  // namespace
}  // namespace foretell::agent
