#include "foretell/model/foreign/carriers/process_carrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/wire/foretell_service.h"
#include "foretell/model/foreign/wire/frame.h"

namespace foretell::model::foreign {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

// Reads the DESCRIBE that every process is greeted with (12 bytes) and answers with nothing.
constexpr const char* kGreet = "head -c 12 >/dev/null; printf '\\0\\0\\0\\0\\0\\0\\0\\0'; ";
// Reads one request without bytes, or with `size` of them.
std::string Take(int size = 0) { return absl::StrCat("head -c ", 8 + size, " >/dev/null; "); }

absl::Status Ask(const std::string& script, std::string* reply = nullptr,
                 const ProcessOptions& options = {}) {
  ProcessCarrier carrier(kGreet + script, options);
  std::string bytes;
  const absl::Status status = carrier.Call(FORETELL_OPEN, "", bytes);
  if (reply != nullptr) *reply = bytes;
  return status;
}

std::string ErrorOf(const std::string& script, const ProcessOptions& options = {}) {
  const absl::Status status = Ask(script, nullptr, options);
  EXPECT_TRUE(absl::IsAborted(status)) << status;
  return std::string(status.message());
}

TEST(ProcessCarrierTest, HandsTheReplyOn) {
  std::string reply;
  EXPECT_TRUE(Ask(Take() + "printf '\\003\\0\\0\\0\\0\\0\\0\\0yes'; cat >/dev/null", &reply).ok());
  EXPECT_EQ(reply, "yes");
}

TEST(ProcessCarrierTest, KnowsWhatIsNotSupportedFromWhatFailed) {
  EXPECT_TRUE(absl::IsUnimplemented(
      Ask(Take() + "printf '\\0\\0\\0\\0\\376\\377\\377\\377'; cat >/dev/null")));
  const absl::Status failed =
      Ask(Take() + "printf '\\002\\0\\0\\0\\375\\377\\377\\377no'; cat >/dev/null");
  EXPECT_TRUE(absl::IsInternal(failed));
  EXPECT_EQ(failed.message(), "no");
}

TEST(ProcessCarrierTest, NamesTheExitStatusAndTheLastWords) {
  EXPECT_EQ(ErrorOf(Take() + "echo one >&2; echo 'at 0xc000123456' >&2; exit 3"),
            "the process ended with exit status 3; its last words: one | at 0x...");
  EXPECT_EQ(ErrorOf(Take() + "kill -SEGV $$"), "the process was ended by SIGSEGV");
}

TEST(ProcessCarrierTest, RefusesNonsense) {
  EXPECT_THAT(ErrorOf(Take() + "printf 'Hello, world'; cat >/dev/null"),
              HasSubstr("does something else print to its standard output?"));
  EXPECT_THAT(ErrorOf(Take() + "printf '\\1\\0\\0\\0\\0\\0\\0\\0xyz'; cat >/dev/null"),
              HasSubstr("2 bytes more than the 1 of its frame"));
  EXPECT_THAT(ErrorOf(Take() + "printf '\\7\\0\\0\\0\\0\\0\\0\\0xyz'"),
              HasSubstr("ended with exit status 0"));
  EXPECT_THAT(Ask(Take() + "printf '\\0\\0\\0\\0\\7\\0\\0\\0'; cat >/dev/null").message(),
              HasSubstr("answered with code 7, which means nothing"));
}

constexpr Patience kShort{milliseconds(100), milliseconds(100)};
constexpr Patience kLong{std::chrono::hours(1), std::chrono::hours(1)};

TEST(ProcessCarrierTest, EndsOneThatDoesNotReturnOrSleeps) {
  EXPECT_THAT(ErrorOf(Take() + "while :; do :; done",
                      {.patiences = {.usual = {kShort.processor_time, kLong.asleep}}}),
              HasSubstr("did not answer within 100 ms of processor time"));
  EXPECT_THAT(ErrorOf(Take() + "exec sleep 1000",
                      {.patiences = {.usual = {kLong.processor_time, kShort.asleep}}}),
              HasSubstr("did nothing for 100 ms instead of answering"));
}

TEST(ProcessCarrierTest, HasLittlePatienceWhenTheSearchIsOver) {
  const ProcessOptions options{.patiences = {.usual = kLong,
                                             .over = {kShort.processor_time, kLong.asleep},
                                             .is_over = [] { return true; }}};
  EXPECT_THAT(ErrorOf(Take() + "while :; do :; done", options),
              HasSubstr("did not answer within 100 ms of processor time"));
}

TEST(ProcessCarrierTest, TakesThePlaceOfTheShell) {
  std::string reply;
  ProcessCarrier plain("sleep 0.01", {});
  EXPECT_EQ(plain.Call(FORETELL_DESCRIBE, "", reply).message(),
            "the process ended with exit status 0");
  // A shell that waits for it would say "exit status 137" and have no processor time of its own.
  ProcessCarrier killed("SIGNAL=SEGV sh -c 'kill -$SIGNAL $$'", {});
  EXPECT_EQ(killed.Call(FORETELL_DESCRIBE, "", reply).message(),
            "the process was ended by SIGSEGV");
}

TEST(ProcessCarrierTest, SaysWhyItCannotBeStarted) {
  ProcessCarrier carrier("no-such-program-anywhere", {});
  std::string reply;
  EXPECT_THAT(carrier.Call(FORETELL_DESCRIBE, "", reply).message(),
              HasSubstr("ended with exit status 127; its last words: "));
}

// A process dies of its second request only: whoever comes next answers it.
TEST(ProcessCarrierTest, AsksAgain) {
  const std::string answer = "printf '\\2\\0\\0\\0\\0\\0\\0\\0ok'; ";
  ProcessCarrier carrier(kGreet + Take() + answer + Take() + "exit 1", {});
  for (int i = 0; i < 3; ++i) {
    std::string reply;
    ASSERT_TRUE(carrier.Call(FORETELL_OPEN, "", reply).ok()) << i;
    EXPECT_EQ(reply, "ok");
  }
}

TEST(ProcessCarrierTest, ForgivesMoreDeathsByAnothersHand) {
  // Each lives for one more request than the last, by a file that they share.
  const std::string file = absl::StrCat(testing::TempDir(), "murders.", getpid());
  const std::string script =
      absl::StrCat("echo x >>", file, "; [ $(wc -l <", file, ") -ge 6 ] || kill -KILL $$; ",
                   "printf '\\0\\0\\0\\0\\0\\0\\0\\0'; cat >/dev/null");
  std::string reply;
  EXPECT_TRUE(Ask(Take() + script, &reply).ok());
  std::remove(file.c_str());
}

TEST(ProcessCarrierTest, AFatalRequestCostsTwoProcessesAndNoMore) {
  const std::string file = absl::StrCat(testing::TempDir(), "fatal.", getpid());
  ProcessCarrier carrier(absl::StrCat("echo x >>", file, "; ", kGreet, Take(), "exit 9"), {});
  std::string reply;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(carrier.Call(FORETELL_OPEN, "", reply).message(),
              "the process ended with exit status 9");
  }
  FILE* const lines = fopen(file.c_str(), "r");
  char bytes[64] = {};
  EXPECT_EQ(fread(bytes, 1, sizeof(bytes), lines), 4u);  // Two lines.
  fclose(lines);
  std::remove(file.c_str());
}

TEST(ProcessCarrierTest, LimitsMemory) {
  const ProcessOptions options{.memory_max = 64 << 20};
  EXPECT_THAT(ErrorOf(Take() + "x=x; while :; do x=$x$x; done", options),
              HasSubstr("the process "));
}

}  // namespace
}  // namespace foretell::model::foreign
