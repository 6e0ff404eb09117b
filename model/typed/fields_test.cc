#include "foretell/model/typed/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace foretell::model {
namespace {

enum class Colour : uint8_t { kRed, kGreen = 7 };
enum class Sign : int32_t { kMinus = -1, kPlus = 1 };

struct Inner {
  uint16_t a = 0;
  std::optional<int32_t> b;
  friend bool operator==(const Inner&, const Inner&) = default;
  FORETELL_FIELDS(a, b)
};
struct Empty {
  friend bool operator==(const Empty&, const Empty&) = default;
};

// One member of every kind that is supported.
struct Everything {
  bool flag = false;
  uint8_t u8 = 0;
  uint64_t u64 = 0;
  int8_t i8 = 0;
  int64_t i64 = 0;
  Colour colour = Colour::kRed;
  Sign sign = Sign::kPlus;
  NodeId node;
  std::string text;
  std::array<uint32_t, 2> pair_of{};
  std::vector<Inner> list;
  std::set<int16_t> numbers;
  std::map<std::string, Inner> by_name;
  std::optional<std::string> maybe;
  std::pair<bool, uint32_t> both;
  std::variant<Empty, Inner> either;
  friend bool operator==(const Everything&, const Everything&) = default;
  FORETELL_FIELDS(flag, u8, u64, i8, i64, colour, sign, node, text, pair_of, list, numbers, by_name,
                  maybe, both, either)
};

std::vector<Everything> Samples() {
  Everything full;
  full.flag = true;
  full.u8 = 255;
  full.u64 = UINT64_MAX;
  full.i8 = -128;
  full.i64 = INT64_MIN;
  full.colour = Colour::kGreen;
  full.sign = Sign::kMinus;
  full.node = NodeId(UINT32_MAX);
  full.text = std::string("\0a\xff", 3);
  full.pair_of = {1, 300};
  full.list = {{1, 2}, {3, std::nullopt}};
  full.numbers = {-300, 0, 5};
  full.by_name = {{"", {1, -1}}, {"x", {}}};
  full.maybe = "";
  full.both = {true, 128};
  full.either = Inner{127, -64};
  Everything odd;
  odd.i64 = INT64_MAX;
  odd.either = Inner{};
  odd.numbers = {7};
  return {Everything{}, full, odd};
}

// Bytes decode to nothing, or they are the one encoding of what they decode to.
template <class T>
bool IsCanonical(const std::string& bytes) {
  const std::optional<T> value = Decode<T>(bytes);
  return !value || Encode(*value) == bytes;
}

template <class T>
void ExpectSame(const T& value) {
  const std::optional<T> back = Decode<T>(Encode(value));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, value);
}

TEST(FieldsTest, BringsBackEveryKindOfMember) {
  for (const Everything& sample : Samples()) ExpectSame(sample);
}

TEST(FieldsTest, BringsBackTheEndsOfIntegers) {
  for (const int64_t i : {INT64_MIN, INT64_MAX, int64_t{-1}, int64_t{0}}) ExpectSame(i);
  for (const int32_t i : {INT32_MIN, INT32_MAX, -1}) ExpectSame(i);
  for (int shift = 0; shift < 64; ++shift) {
    ExpectSame(uint64_t{1} << shift);
    ExpectSame((uint64_t{1} << shift) - 1);
  }
}

TEST(FieldsTest, DifferentValuesHaveDifferentEncodings) {
  std::set<std::string> encodings;
  for (const Everything& sample : Samples()) encodings.insert(Encode(sample));
  EXPECT_EQ(encodings.size(), Samples().size());
  using Strings = std::vector<std::string>;
  EXPECT_NE(Encode(Strings{"ab", ""}), Encode(Strings{"a", "b"}));
}

TEST(FieldsTest, EncodesIntegersInTheirShortestForm) {
  EXPECT_EQ(Encode(uint32_t{127}), "\x7f");
  EXPECT_EQ(Encode(uint32_t{128}), "\x80\x01");
  EXPECT_EQ(Encode(int32_t{-1}), "\x01");
  EXPECT_EQ(Encode(true), "\x01");
}

// The encoding of an integer, a byte at a time.
std::string Plain(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

// Both sides of every size that integers are told apart by, in bytes or otherwise.
std::vector<uint64_t> Edges() {
  std::vector<uint64_t> edges = {0, UINT64_MAX};
  for (int shift = 0; shift < 64; ++shift) {
    edges.push_back(uint64_t{1} << shift);
    edges.push_back((uint64_t{1} << shift) - 1);
  }
  return edges;
}

TEST(FieldsTest, EncodesIntegersSevenBitsAtATime) {
  for (const uint64_t edge : Edges()) EXPECT_EQ(Encode(edge), Plain(edge)) << edge;
}

// Vectors of integers are encoded a few at a time. `from_raw` makes what is encoded as `raw`.
template <class T, class FromRaw>
void ExpectPlain(const std::vector<uint64_t>& raws, FromRaw from_raw) {
  std::vector<T> values;
  std::string expected = Plain(raws.size());
  for (const uint64_t raw : raws) {
    values.push_back(from_raw(raw));
    expected += Plain(raw);
  }
  ASSERT_EQ(Encode(values), expected) << testing::PrintToString(raws);
  ASSERT_EQ(Decode<std::vector<T>>(expected), values);
}

template <class T, class FromRaw>
void ExpectPlainVectors(uint64_t raw_max, FromRaw from_raw) {
  for (size_t size = 0; size <= 13; ++size) {
    for (size_t odd = 0; odd < size; ++odd) {
      for (const uint64_t edge : Edges()) {
        std::vector<uint64_t> raws(size);
        raws[odd] = std::min(edge, raw_max);
        ExpectPlain<T>(raws, from_raw);
        for (size_t i = 0; i < size; ++i) raws[i] |= i;
        ExpectPlain<T>(raws, from_raw);
      }
    }
  }
}

template <class T>
T FromZigzag(uint64_t raw) {
  return static_cast<T>(static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1));
}

TEST(FieldsTest, EncodesVectorsAsTheirIntegersOneByOne) {
  ExpectPlainVectors<uint8_t>(UINT8_MAX, [](uint64_t raw) { return static_cast<uint8_t>(raw); });
  ExpectPlainVectors<uint32_t>(UINT32_MAX, [](uint64_t raw) { return static_cast<uint32_t>(raw); });
  ExpectPlainVectors<uint64_t>(UINT64_MAX, [](uint64_t raw) { return raw; });
  ExpectPlainVectors<int8_t>(UINT8_MAX, FromZigzag<int8_t>);
  ExpectPlainVectors<int32_t>(UINT32_MAX, FromZigzag<int32_t>);
  ExpectPlainVectors<int64_t>(UINT64_MAX, FromZigzag<int64_t>);
  ExpectPlainVectors<Sign>(UINT32_MAX, FromZigzag<Sign>);
  ExpectPlainVectors<NodeId>(UINT32_MAX,
                             [](uint64_t raw) { return NodeId(static_cast<uint32_t>(raw)); });
  EXPECT_EQ(Encode(std::vector<bool>{true, false, true, true, true}),
            "\x05\x01" + Plain(0) + "\x01\x01\x01");
}

// Whatever is expected, whatever memory is offered, and wherever the memory ends.
TEST(FieldsTest, EncodesTheSameIntoAnyBuffer) {
  for (const uint64_t fill : {uint64_t{1}, uint64_t{300}, uint64_t{1} << 40, UINT64_MAX}) {
    for (size_t before = 200; before < 280; ++before) {
      const std::pair value(std::string(before, 'a'), std::vector<uint64_t>(9, fill));
      std::string expected = Plain(before) + std::string(before, 'a') + Plain(9);
      for (int i = 0; i < 9; ++i) expected += Plain(fill);
      ASSERT_EQ(Encode(value), expected);
      for (size_t size = before; size < expected.size() + 20; ++size) {
        ASSERT_EQ(Encode(value, size), expected) << size;
        ASSERT_EQ(Encode(value, size, std::string(size + before % 20, 'x')), expected) << size;
      }
    }
  }
}

TEST(FieldsTest, RefusesIntegersInALongerForm) {
  EXPECT_FALSE(Decode<uint32_t>(std::string("\x80\x00", 2)));
  EXPECT_FALSE(Decode<uint32_t>(std::string("\xff\x80\x00", 3)));
  EXPECT_FALSE(Decode<std::string>(std::string("\x81\x00z", 3)));
}

TEST(FieldsTest, RefusesIntegersThatDoNotFit) {
  EXPECT_FALSE(Decode<uint8_t>(Encode(uint32_t{256})));
  EXPECT_FALSE(Decode<int8_t>(Encode(int32_t{128})));
  EXPECT_FALSE(Decode<int8_t>(Encode(int32_t{-129})));
  EXPECT_FALSE(Decode<Colour>(Encode(uint32_t{256})));
  EXPECT_FALSE(Decode<NodeId>(Encode(uint64_t{1} << 32)));
  EXPECT_FALSE(Decode<bool>("\x02"));
  EXPECT_FALSE(Decode<uint64_t>(std::string(9, '\xff') + "\x02"));   // 2^64 and more.
  EXPECT_FALSE(Decode<uint64_t>(std::string(10, '\xff') + "\x01"));  // Eleven bytes.
  EXPECT_TRUE(Decode<uint64_t>(std::string(9, '\xff') + "\x01"));
}

TEST(FieldsTest, RefusesElementsOutOfOrder) {
  using Numbers = std::vector<uint32_t>;
  using Pairs = std::vector<std::pair<uint32_t, bool>>;
  EXPECT_TRUE(Decode<std::set<uint32_t>>(Encode(Numbers{1, 2})));
  EXPECT_FALSE(Decode<std::set<uint32_t>>(Encode(Numbers{2, 1})));
  EXPECT_FALSE(Decode<std::set<uint32_t>>(Encode(Numbers{1, 1})));
  EXPECT_TRUE((Decode<std::map<uint32_t, bool>>(Encode(Pairs{{1, true}, {2, false}}))));
  EXPECT_FALSE((Decode<std::map<uint32_t, bool>>(Encode(Pairs{{1, true}, {1, false}}))));
}

TEST(FieldsTest, RefusesSizesBeyondTheBytes) {
  const std::string huge = Encode(UINT64_MAX);
  EXPECT_FALSE(Decode<std::string>(huge));
  EXPECT_FALSE(Decode<std::vector<uint64_t>>(huge));
  EXPECT_FALSE(Decode<std::set<uint64_t>>(huge + "\x01"));
  EXPECT_FALSE(Decode<std::string>("\x02z"));
}

TEST(FieldsTest, RefusesBytesLeftOver) {
  EXPECT_FALSE(Decode<uint32_t>(std::string("\x01\x00", 2)));
  for (const Everything& sample : Samples())
    EXPECT_FALSE(Decode<Everything>(Encode(sample) + '\0'));
}

TEST(FieldsTest, RefusesUnknownAlternatives) {
  EXPECT_FALSE((Decode<std::variant<Empty, Inner>>("\x02")));
  EXPECT_FALSE(Decode<std::optional<bool>>(std::string("\x02\x00", 2)));
  EXPECT_TRUE((Decode<std::variant<Empty, Inner>>(std::string(1, '\0'))));
}

TEST(FieldsFuzzTest, NoPrefixIsAValue) {
  for (const Everything& sample : Samples()) {
    const std::string bytes = Encode(sample);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(Decode<Everything>(bytes.substr(0, size))) << size;
    }
  }
}

TEST(FieldsFuzzTest, EveryChangedByteIsRefusedOrMeansSomethingElse) {
  for (const Everything& sample : Samples()) {
    const std::string bytes = Encode(sample);
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(byte);
        ASSERT_TRUE(IsCanonical<Everything>(changed)) << at << " " << byte;
      }
    }
  }
}

TEST(FieldsFuzzTest, RandomBytesAreRefusedOrCanonical) {
  std::mt19937 random(1);
  using Nested = std::map<uint8_t, std::set<std::pair<bool, std::optional<uint32_t>>>>;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes(random() % 24, '\0');
    // Small numbers most of the time, or hardly anything would decode.
    for (char& byte : bytes) byte = static_cast<char>(random() % 4 != 0 ? random() % 4 : random());
    ASSERT_TRUE(IsCanonical<Everything>(bytes));
    ASSERT_TRUE(IsCanonical<Nested>(bytes));
    ASSERT_TRUE((IsCanonical<std::vector<std::variant<Inner, Empty>>>(bytes)));
  }
}

}  // namespace
}  // namespace foretell::model
