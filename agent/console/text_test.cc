#include "foretell/agent/console/text.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

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

TEST(XmlTextTest, EscapesWhatMeansSomething) {
  EXPECT_EQ(XmlText("a<b>&\"c\" 'd'"), "a&lt;b&gt;&amp;&quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(XmlText("→ \n\t"), "→ \n\t");
}

// No entity makes them legal: a reader would refuse the whole picture or page.
TEST(XmlTextTest, WhatXmlCannotHoldIsSpeltOut) {
  EXPECT_EQ(XmlText("a\x1b\x7f"), "a\\x1b\\x7f");
  EXPECT_EQ(XmlText("\xff<\xe2\x86"), "\\xff&lt;\\xe2\\x86");
  EXPECT_EQ(XmlText("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(XmlText("\xef\xbf\xbd \xef\xbf\xbe \xef\xbf\xbf"),
            "\xef\xbf\xbd \\xef\\xbf\\xbe \\xef\\xbf\\xbf");
}

TEST(ShellWordTest, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(ShellWord("demo-out/a_1.bundle"), "demo-out/a_1.bundle");
  EXPECT_EQ(ShellWord("my demo/x.bundle"), "'my demo/x.bundle'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace foretell::agent
