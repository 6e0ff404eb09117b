// What people read about engines is what there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "foretell/predictors/engines.h"

namespace foretell::agent {
namespace {

// The names in the first column of the README's table of engines.
std::vector<std::string> NamesInReadme() {
  std::ifstream in(FORETELL_OPS "/../../README.md");
  std::string line;
  while (std::getline(in, line) && !line.starts_with("| engine (`--engine`)")) continue;
  std::vector<std::string> names;
  static const std::regex kName("`([^`]+)`");
  while (std::getline(in, line) && line.starts_with("|")) {
    const std::string column = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator it(column.begin(), column.end(), kName), end; it != end; ++it) {
      names.push_back((*it)[1]);
    }
  }
  return names;
}

TEST(EngineTableTest, TheReadmeNamesEveryEngineOnce) {
  std::vector<std::string> names;
  for (const predictors::Engine& engine : predictors::AllEngines()) names.push_back(engine.name);
  EXPECT_THAT(NamesInReadme(), testing::UnorderedElementsAreArray(names));
}

}  // namespace
}  // namespace foretell::agent
