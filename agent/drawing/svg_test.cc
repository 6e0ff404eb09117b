#include "foretell/agent/drawing/svg.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/testing/named_toy.h"

namespace foretell::agent {
namespace {

// Just enough XML to catch what hand-written output gets wrong: tags that do not nest, attributes
// without quotes, and bare < or &.
std::string XmlError(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = 0; at < xml.size();) {
    if (xml[at] == '&' && xml.find(';', at) > at + 6) return "bare & at " + std::to_string(at);
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return "tag without end at " + std::to_string(at);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in " + tag;
    if (tag.find('<') != std::string::npos) return "bare < before " + tag;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected " + tag;
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(SvgTest, IsWellFormedAndAccessible) {
  const std::string svg = DrawSvg(ToyPicture("fresh", ToyPath()));
  EXPECT_EQ(XmlError(svg), "");
  EXPECT_NE(svg.find("<title id=\"title\">toy &lt;1&gt; &amp; &quot;2&quot;"), std::string::npos);
  EXPECT_NE(svg.find("<desc "), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(SvgTest, HasOneMarkPerStepAndOneArrowPerDelivery) {
  const std::string svg = DrawSvg(ToyPicture("fresh", ToyPath()));
  EXPECT_EQ(CountOf(svg, "<circle"), 8u);
  EXPECT_EQ(CountOf(svg, "marker-end"), 5u);
  EXPECT_EQ(CountOf(svg, "class=\"mark bad\""), 1u);
}

TEST(SvgTest, TheCheckItselfSeesBadXml) {
  EXPECT_NE(XmlError("<a><b></a></b>"), "");
  EXPECT_NE(XmlError("<a>&</a>"), "");
  EXPECT_NE(XmlError("<a x=\"1>"), "");
  EXPECT_EQ(XmlError("<a x=\"1\"><b/>&lt;</a>"), "");
}

TEST(SvgTest, RolesAndLabelsAreShown) {
  const std::string svg = DrawSvg(NamedPicture());
  EXPECT_NE(svg.find(">0 candidate</text>"), std::string::npos);
  EXPECT_NE(svg.find(">node 1</text>"), std::string::npos);
  EXPECT_NE(svg.find(">chooses assent</text>"), std::string::npos);
}

TEST(MermaidTest, RolesAndLabelsAreShown) {
  const std::string text = DrawMermaid(NamedPicture());
  EXPECT_NE(text.find("participant n0 as 0 candidate\n"), std::string::npos) << text;
  EXPECT_NE(text.find("participant n1 as node 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Note over n1: chooses assent<br/>"), std::string::npos) << text;
}

}  // namespace
}  // namespace foretell::agent
