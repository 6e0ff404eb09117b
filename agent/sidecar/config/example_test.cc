// The example, ops/agent.toml, has every key: live where it wants something else than the default,
// else as a comment that shows the default. What a key is follows in a comment. All of that is
// written by the table of keys; only values that are live and remarks are the example's own.
// With FORETELL_REWRITE=1 it is written anew, which is all that a new key needs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/sidecar/config/keys.h"
#include "foretell/agent/sidecar/config/resolved_config.h"
#include "foretell/integration/catalog.h"

namespace foretell::agent {
namespace {

constexpr const char* kExample = FORETELL_OPS "/agent.toml";
constexpr size_t kTextColumn = 36;

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

std::string TomlOf(const ConfigKey& key, const std::string& value) {
  if (key.value.form == ConfigKey::Form::kList) {
    std::vector<std::string> parts = absl::StrSplit(value, ',', absl::SkipEmpty());
    for (std::string& part : parts) part = Quoted(part);
    return "[" + absl::StrJoin(parts, ", ") + "]";
  }
  const bool bare = key.value.form == ConfigKey::Form::kNumber &&
                    value.find_first_not_of("0123456789.") == std::string::npos;
  return bare ? value : Quoted(value);
}

// The lines of `section`'s keys, for an example that wants `config`.
std::vector<std::string> KeyLines(const std::string& section, const Config& config) {
  std::vector<std::string> lines;
  for (const ConfigKey& key : AllConfigKeys()) {
    if (!key.name.starts_with(section + ".")) continue;
    const std::string value = key.value.get(config);
    const std::string live = value == key.value.get({}) ? "# " : "";
    std::string line =
        absl::StrCat(live, key.name.substr(section.size() + 1), " = ", TomlOf(key, value));
    line.resize(std::max(line.size() + 1, kTextColumn), ' ');
    lines.push_back(absl::StrCat(line, "# ", key.text));
  }
  return lines;
}

// `text` as it should be. Sections that it lacks come last.
std::string Refreshed(const std::string& text, const Config& config) {
  static const std::regex kHeader(R"(\[+(\w+)\]+)");
  static const std::regex kKey(R"((?:# )?(\w+) = .*)");
  std::vector<std::string> sections = ConfigSections();
  std::erase(sections, "nodes");
  std::vector<std::string> lines;
  std::string section;
  const auto begin = [&](const std::string& header) {
    lines.push_back(header);
    for (std::string& line : KeyLines(section, config)) lines.push_back(std::move(line));
    std::erase(sections, section);
  };
  std::istringstream input(text);
  std::smatch match;
  for (std::string line; std::getline(input, line);) {
    if (std::regex_match(line, match, kHeader)) {
      section = match[1];
      begin(line);
    } else if (!std::regex_match(line, match, kKey) ||
               FindConfigKey(section + "." + match[1].str()) == nullptr) {
      lines.push_back(line);
    }
  }
  while (!sections.empty()) {
    section = sections.front();
    lines.emplace_back();
    begin("[" + section + "]");
  }
  return absl::StrJoin(lines, "\n") + "\n";
}

absl::StatusOr<Config> Read(const std::string& text) { return ParseConfig(kExample, text, {}); }

TEST(ConfigExampleTest, HasEveryKeyAsTheTableHasIt) {
  const auto text = ReadFile(kExample);
  ASSERT_TRUE(text.ok()) << text.status();
  const auto config = Read(*text);
  ASSERT_TRUE(config.ok()) << config.status();
  const std::string refreshed = Refreshed(*text, *config);
  const char* const wish = std::getenv("FORETELL_REWRITE");
  if (wish != nullptr && std::string(wish) == "1") {
    ASSERT_TRUE(WriteFileAtomically(kExample, refreshed).ok());
    return;
  }
  EXPECT_EQ(*text, refreshed) << "FORETELL_REWRITE=1 writes it anew";
}

TEST(ConfigExampleTest, IsValidAndVetoesNothing) {
  const auto text = ReadFile(kExample);
  ASSERT_TRUE(text.ok()) << text.status();
  const auto config = Read(*text);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->nodes.size(), 3u);
  EXPECT_EQ(config->ModeOf("agreement"), snapshot::Mode::kObserve);
  EXPECT_TRUE(ResolveConfig(*config, integration::BuiltinServices()).ok());
}

// A new key, and a default that has changed.
TEST(ConfigExampleTest, WhatIsMissingOrOldIsFound) {
  Config config;
  config.service = "paxos";
  const std::string text = "[service]\nname = \"paxos\"\n# bug = \"old\"\n# A remark.\n";
  const std::string refreshed = Refreshed(text, config);
  EXPECT_EQ(refreshed.find("[service]\n"
                           "name = \"paxos\"                      # one of"),
            0u)
      << refreshed;
  EXPECT_NE(refreshed.find("\n# bug = \"\" "), std::string::npos) << refreshed;
  EXPECT_NE(refreshed.find("# A remark.\n\n[tls]\n"), std::string::npos) << refreshed;
  EXPECT_NE(refreshed.find("\n[veto]\n# lease = \"5s\""), std::string::npos) << refreshed;
}

}  // namespace
}  // namespace foretell::agent
