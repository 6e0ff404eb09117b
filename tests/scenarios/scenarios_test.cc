// Each .txt of this folder is a test. With --rewrite, or FORETELL_REWRITE=1, it writes down what
// the system does now instead: look at the difference before you commit it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "foretell/snapshot/testing/sample_records.h"
#include "foretell/tests/scenarios/runner.h"

namespace foretell::scenarios {
namespace {

class StoryTest : public testing::Test {
 public:
  StoryTest(std::string file, bool rewrite) : file_(std::move(file)), rewrite_(rewrite) {}
  void TestBody() override {
    const std::string text = snapshot::Contents(file_);
    const auto story = ParseStory(file_, text);
    ASSERT_TRUE(story.ok()) << story.status().message();
    const auto played = Play(file_, *story);
    ASSERT_TRUE(played.ok()) << played.status().message();
    if (!rewrite_) {
      const std::string mismatches = Mismatches(file_, *story, *played);
      EXPECT_TRUE(mismatches.empty()) << mismatches;
    } else if (StoryText(*played) != text) {
      snapshot::WriteContents(file_, StoryText(*played));
    }
  }

 private:
  const std::string file_;
  const bool rewrite_;
};

void RegisterStories(bool rewrite) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(FORETELL_STORIES)) {
    if (entry.path().extension() == ".txt" && entry.path().stem() != "CMakeLists") {
      files.insert(entry.path());
    }
  }
  for (const std::filesystem::path& file : files) {
    const auto make = [path = file.string(), rewrite]() -> testing::Test* {
      return new StoryTest(path, rewrite);
    };
    testing::RegisterTest("Story", file.stem().c_str(), nullptr, nullptr, file.c_str(), 1, make);
  }
}

}  // namespace
}  // namespace foretell::scenarios

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* const wish = std::getenv("FORETELL_REWRITE");
  bool rewrite = wish != nullptr && std::string(wish) == "1";
  for (int i = 1; i < argc; ++i) rewrite = rewrite || std::string(argv[i]) == "--rewrite";
  foretell::scenarios::RegisterStories(rewrite);
  return RUN_ALL_TESTS();
}
