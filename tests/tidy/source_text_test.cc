#include "foretell/tests/tidy/source_text.h"

#include <gtest/gtest.h>

namespace foretell::tidy {
namespace {

using Lengths = std::vector<size_t>;

Lengths LengthsOf(const std::string& text) {
  Lengths lengths;
  for (const Function& function : FindFunctions(text)) lengths.push_back(function.lines);
  return lengths;
}

TEST(SourceTextTest, BlanksWhatIsNotCode) {
  EXPECT_EQ(BlankNoise("a // {\nb"), "a     \nb");
  EXPECT_EQ(BlankNoise("a /* {\n{ */ b"), "a     \n     b");
  EXPECT_EQ(BlankNoise("f(\"\\\"{\", '{')"), "f(     ,    )");
  EXPECT_EQ(BlankNoise("#define A {  \\\n  {\nb"), "              \n   \nb");
  EXPECT_EQ(BlankNoise("x = R\"re({\")re\" + 1"), "x =             + 1");
}

TEST(SourceTextTest, KeepsDigitSeparators) {
  EXPECT_EQ(BlankNoise("1'000'000 {"), "1'000'000 {");
  EXPECT_EQ(BlankNoise("0x1f'ff {"), "0x1f'ff {");
}

TEST(SourceTextTest, MeasuresSignatureAndBody) {
  const auto functions =
      FindFunctions("namespace a {\nint F(int x,\n      int y) {\n  g();\n}\n}\n");
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0].line, 2u);
  EXPECT_EQ(functions[0].lines, 4u);
}

TEST(SourceTextTest, EntersTypesButNotFunctions) {
  EXPECT_EQ(LengthsOf("template <class T>\nclass A : B<T> {\n  void F() {\n    if (x) {\n    }\n"
                      "    auto l = [](int) {\n    };\n  }\n  int G() { return 1; }\n};\n"),
            (Lengths{6, 1}));
  EXPECT_EQ(LengthsOf("enum class E : uint8_t {\n  kA,\n};\nextern \"C\" {\nvoid F() {}\n}\n"),
            Lengths{1});
}

TEST(SourceTextTest, CountsConstructorsWithBracedMembersAsOne) {
  EXPECT_EQ(LengthsOf("A::A(int x)\n    : a_{x},\n      b_{1, 2} {\n  F();\n}\nvoid G() {\n}\n"),
            (Lengths{5, 2}));
}

TEST(SourceTextTest, KnowsTablesFromFunctions) {
  EXPECT_EQ(LengthsOf("const std::map<int, int> kTable = {\n  {1, 2},\n};\nint x{3};\n"),
            Lengths{});
  EXPECT_EQ(LengthsOf("const auto kF = [](int x) {\n  return x;\n};\n"), Lengths{3});
  EXPECT_EQ(LengthsOf("bool operator==(A a, A b) {\n  return true;\n}\n"), Lengths{3});
  EXPECT_EQ(LengthsOf("TEST(A, B) {\n  F({1, 2});\n}\n"), Lengths{3});
}

TEST(SourceTextTest, SurvivesTextThatEndsTooEarly) {
  EXPECT_EQ(LengthsOf("void F() {\n  g(\"x\n"), Lengths{2});
  EXPECT_EQ(BlankNoise("/* x"), "    ");
  EXPECT_EQ(BlankNoise("R\"(x"), "    ");
  EXPECT_TRUE(FindFunctions("").empty());
}

}  // namespace
}  // namespace foretell::tidy
