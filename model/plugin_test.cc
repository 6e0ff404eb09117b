#include "foretell/model/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::model {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string PathOf(const std::string& name) { return FORETELL_TESTDATA "/" + name + ".so"; }

// Builds that are tested at the same time share the folder.
std::string TempPath(const std::string& name) {
  return absl::StrCat(testing::TempDir(), getpid(), "_", name);
}

// The one line a user would see.
std::string ErrorOf(const std::string& path) {
  const absl::StatusOr<Catalog> families = LoadCppPlugin(path);
  EXPECT_FALSE(families.ok());
  std::string text(families.status().message());
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_THAT(text, StartsWith("plug-in " + path + ": "));
  return text;
}

TEST(PluginTest, ServicesOutliveTheCatalogTheyCameFrom) {
  absl::StatusOr<Catalog> families = LoadCppPlugin(PathOf("good_plugin"));
  ASSERT_TRUE(families.ok()) << families.status();
  ASSERT_EQ(families->size(), 1u);
  EXPECT_EQ(families->front()->name(), "counter");
  absl::StatusOr<System> made = families->front()->Make("start", "");
  ASSERT_TRUE(made.ok()) << made.status();
  families->clear();

  PlainSystem system(*made->service, made->start);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(system.Apply(system.Enabled().at(0)).ok());
  EXPECT_EQ(system.Violated(), std::vector<std::string>{"below-two"});
}

TEST(PluginTest, AVersionIsAWordAndAHashOfTheFile) {
  const auto worded = LoadCppPlugin(PathOf("worded_plugin"));
  ASSERT_TRUE(worded.ok()) << worded.status();
  EXPECT_EQ(worded->front()->version(), "first-" + FileVersion(PathOf("worded_plugin")));
  const auto silent = LoadCppPlugin(PathOf("good_plugin"));
  ASSERT_TRUE(silent.ok()) << silent.status();
  EXPECT_EQ(silent->front()->version(), FileVersion(PathOf("good_plugin")));
}

TEST(PluginTest, LoadsTheSameLibraryTwice) {
  EXPECT_TRUE(LoadCppPlugin(PathOf("good_plugin")).ok());
  EXPECT_TRUE(LoadCppPlugin(PathOf("good_plugin")).ok());
}

TEST(PluginTest, NamesBothVersions) {
  EXPECT_THAT(ErrorOf(PathOf("later_version_plugin")),
              HasSubstr("made for plug-in version 10, this foretell has version 9: build it with "
                        "the headers of this foretell"));
}

TEST(PluginTest, NamesBothBuilds) {
  EXPECT_THAT(ErrorOf(PathOf("other_build_plugin")),
              HasSubstr("built with \"another compiler\", this foretell with \"" FORETELL_PLUGIN_ABI
                        "\": use the same compiler"));
}

TEST(PluginTest, NamesTheMissingSymbol) {
  EXPECT_THAT(ErrorOf(PathOf("no_symbol_plugin")),
              HasSubstr("no symbol foretell_plugin; a plug-in says FORETELL_PLUGIN(family) once, "
                        "or has the functions of foretell_service.h"));
}

TEST(PluginTest, RefusesAFileThatIsNoLibrary) {
  const std::string path = TempPath("text_plugin.so");
  std::ofstream(path) << "Not a library.\n";
  EXPECT_THAT(ErrorOf(path), HasSubstr("not a shared library"));
  std::ofstream(path) << "";
  EXPECT_THAT(ErrorOf(path), HasSubstr("not a shared library"));
  std::remove(path.c_str());
  EXPECT_THAT(ErrorOf(testing::TempDir()), HasSubstr("not a file"));
}

TEST(PluginTest, RefusesALibraryThatIsCutShort) {
  const std::string path = TempPath("short_plugin.so");
  std::ofstream(path) << "\177ELF";
  EXPECT_THAT(ErrorOf(path), HasSubstr("cannot be loaded: "));
  std::remove(path.c_str());
}

TEST(PluginTest, SaysThatThereIsNoSuchFile) {
  const std::string path = TempPath("missing_plugin.so");
  EXPECT_TRUE(absl::IsNotFound(LoadCppPlugin(path).status()));
  EXPECT_THAT(ErrorOf(path), HasSubstr("no such file"));
}

TEST(PluginTest, TurnsAnExceptionOfThePluginIntoAnError) {
  EXPECT_THAT(ErrorOf(PathOf("throwing_plugin")), HasSubstr("threw: no license server"));
}

TEST(PluginTest, RefusesTwoServicesOfOneName) {
  EXPECT_THAT(ErrorOf(PathOf("twice_plugin")), HasSubstr("two services are named counter"));
}

}  // namespace
}  // namespace foretell::model
