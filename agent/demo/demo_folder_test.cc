#include "foretell/agent/demo/demo_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "foretell/agent/demo/demo_script.h"

namespace foretell::agent {
namespace {

using testing::HasSubstr;

struct End {
  int code;
  std::string err;
};
End Conclude(const Shown& shown, bool interrupted = false) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err, .interrupted = [interrupted] { return interrupted; }};
  const int code = ConcludeDemo(shown, "another --seed", console);
  return {code, err.str()};
}

TEST(DemoStageTest, ADemoThatShowsNothingSaysWhatToTry) {
  const End good = Conclude({.violated = true, .predicted = true});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.err, "");
  const End quiet = Conclude({.violated = false, .predicted = true});
  EXPECT_EQ(quiet.code, 3);
  EXPECT_THAT(quiet.err, HasSubstr("nothing went wrong this time"));
  EXPECT_THAT(quiet.err, HasSubstr("try another --seed\n"));
  const End fast = Conclude({.violated = true, .predicted = false});
  EXPECT_EQ(fast.code, 3);
  EXPECT_THAT(fast.err, HasSubstr("faster than it could be seen; try another --seed"));
  const End ended = Conclude({}, /*interrupted=*/true);
  EXPECT_EQ(ended.code, 130);
  EXPECT_THAT(ended.err, HasSubstr("interrupted"));
}

TEST(DemoStageTest, WhatThereIsHasNoStraySpaces) {
  EXPECT_EQ(std::string(FindDemoScript("pam", "").status().message()),
            "no demo of pam; there is paxos with last-response, paxos with first-value, onepaxos "
            "with plus-plus, transport with stale-syn, register with hasty-reader, raft");
}

}  // namespace
}  // namespace foretell::agent
