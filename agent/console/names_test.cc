#include <gtest/gtest.h>

#include "foretell/agent/console/nearest_name.h"
#include "foretell/agent/console/printable.h"

namespace foretell::agent {
namespace {

TEST(NearestNameTest, FindsMistypedAndUnfinishedNames) {
  const std::vector<std::string> names = {"last-response", "forgets-promise", "first-value"};
  EXPECT_EQ(NearestName("last-respons", names), "last-response");
  EXPECT_EQ(NearestName("lsat-response", names), "last-response");
  EXPECT_EQ(NearestName("First-Value", names), "first-value");
  EXPECT_EQ(NearestName("for", names), "forgets-promise");
  EXPECT_EQ(NearestName("xyzzy", names), "");
  EXPECT_EQ(NearestName("", names), "");
}

TEST(NearestNameTest, SaysAllInOneLine) {
  EXPECT_EQ(std::string(UnknownName("bug", "last-respons", {"last-response", "x"}).message()),
            "unknown bug 'last-respons': did you mean 'last-response'? known: last-response, x");
  EXPECT_EQ(std::string(UnknownName("bug", "zz", {}).message()),
            "unknown bug 'zz': there are none");
}

TEST(PrintableTest, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(Printable("a\x1b[2Jb\n", true), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(Printable("\xc2\x9b", true), "\\xc2\\x9b");
  EXPECT_EQ(Printable("\xff\xc0\xaf", true), "\\xff\\xc0\\xaf");
  EXPECT_EQ(Printable("→", true), "→");
  EXPECT_EQ(Printable("→", false), "\\xe2\\x86\\x92");
  EXPECT_EQ(Printable("\xe2\x86", true), "\\xe2\\x86");
}

TEST(PrintableTest, WrapsAtWordsAndBreaksWhatIsTooLong) {
  EXPECT_EQ(Wrap("one two three", 9), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(Wrap("abcdefghijklm", 10), (std::vector<std::string>{"abcdefghij", "  klm"}));
  EXPECT_EQ(Wrap("", 10), std::vector<std::string>{""});
}

}  // namespace
}  // namespace foretell::agent
