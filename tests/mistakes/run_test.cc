#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "foretell/tests/mistakes/run_case.h"

namespace foretell::mistakes {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Run {
  RunCase mistake;
  std::string engine;
};

std::vector<Run> AllRuns() {
  std::vector<Run> runs;
  for (const auto& cases : {HandlerCases(), ProcessCases(), CoverageCases(), OptionCases()}) {
    for (const RunCase& mistake : cases) {
      for (const std::string& engine : mistake.engines) runs.push_back({mistake, engine});
    }
  }
  return runs;
}

std::string NameOf(const testing::TestParamInfo<Run>& info) {
  const std::string engine = absl::StrReplaceAll(info.param.engine, {{"-", "_"}});
  return engine.empty() ? info.param.mistake.name
                        : absl::StrCat(info.param.mistake.name, "_", engine);
}

class MistakeTest : public testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(Run, MistakeTest, testing::ValuesIn(AllRuns()), NameOf);

TEST_P(MistakeTest, IsTold) {
  const auto& [mistake, engine] = GetParam();
  const std::string text = mistake.text(engine);
  EXPECT_THAT(text, HasSubstr(mistake.read));
  EXPECT_THAT(text, StartsWith(mistake.verdict));
}

}  // namespace
}  // namespace foretell::mistakes
