#include "foretell/model/foreign/carriers/library_carrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "foretell/model/foreign/wire/foretell_service.h"

namespace foretell::model::foreign {
namespace {

using ::testing::HasSubstr;

absl::Status Ask(LibraryCarrier::Function function, std::string& reply) {
  LibraryCarrier carrier(function);
  return carrier.Call(FORETELL_ACTIONS, "hello", reply);
}

TEST(LibraryCarrierTest, HandsRequestAndReplyOn) {
  std::string reply;
  const auto echo = [](uint32_t op, const uint8_t* in, size_t size, uint8_t* out, size_t) {
    std::memcpy(out, in, size);
    return static_cast<int64_t>(size) - (op == FORETELL_ACTIONS ? 1 : 0);
  };
  EXPECT_TRUE(Ask(echo, reply).ok());
  EXPECT_EQ(reply, "hell");
}

TEST(LibraryCarrierTest, MakesRoomForALargeReply) {
  std::string reply;
  const auto large = [](uint32_t, const uint8_t*, size_t, uint8_t* out, size_t room) {
    constexpr size_t kSize = 300'000;
    if (room >= kSize) std::memset(out, 'x', kSize);
    return static_cast<int64_t>(kSize);
  };
  EXPECT_TRUE(Ask(large, reply).ok());
  EXPECT_EQ(reply, std::string(300'000, 'x'));
}

TEST(LibraryCarrierTest, RefusesLiesAboutSizes) {
  std::string reply;
  const auto huge = [](uint32_t, const uint8_t*, size_t, uint8_t*, size_t) { return INT64_MAX; };
  EXPECT_THAT(Ask(huge, reply).message(), HasSubstr("at most 268435456 are read"));
  const auto growing = [](uint32_t, const uint8_t*, size_t, uint8_t*, size_t room) {
    return static_cast<int64_t>(room) + 1;
  };
  EXPECT_THAT(Ask(growing, reply).message(), HasSubstr("larger when it was asked for again"));
  const auto beyond = [](uint32_t, const uint8_t*, size_t, uint8_t* out, size_t room) {
    out[room] = 'X';
    return int64_t{1};
  };
  EXPECT_THAT(Ask(beyond, reply).message(), HasSubstr("wrote more than the "));
}

TEST(LibraryCarrierTest, TurnsCodesIntoWords) {
  std::string reply;
  const auto mute = [](uint32_t, const uint8_t*, size_t, uint8_t*, size_t) {
    return int64_t{FORETELL_UNSUPPORTED};
  };
  EXPECT_TRUE(absl::IsUnimplemented(Ask(mute, reply)));
  const auto talks = [](uint32_t, const uint8_t*, size_t, uint8_t* out, size_t) {
    std::memcpy(out, "no disk", 8);
    return int64_t{FORETELL_INTERNAL};
  };
  EXPECT_EQ(Ask(talks, reply), absl::InternalError("no disk"));
  const auto odd = [](uint32_t, const uint8_t*, size_t, uint8_t*, size_t) { return int64_t{-77}; };
  EXPECT_THAT(Ask(odd, reply).message(), HasSubstr("code -77, which means nothing"));
}

}  // namespace
}  // namespace foretell::model::foreign
