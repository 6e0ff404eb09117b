#include "foretell/agent/drawing/matches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/agent/testing/named_toy.h"
#include "foretell/model/process/messages.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/process/semaphore.h"
#include "foretell/model/typed/service.h"

namespace foretell::agent {
namespace {

using model::process::Mailbox;
using model::process::Program;
using model::process::Task;
using testing::HasSubstr;
using testing::Not;

using Box = Mailbox<uint32_t>;

Task<> Sends(Box box, uint32_t value) { co_await SendTo(box, value); }
Task<> Receives(Box box) {
  const uint32_t value = co_await Receive(box);
  model::process::Assert(value != 9, "nine");
}
Task<> Takes(model::process::Semaphore semaphore) { co_await Acquire(semaphore); }

// What happens if the first possible step is taken always, or the last.
SpaceTime Picture(Program program, bool first = true) {
  const auto service = model::MakeService(model::process::Protocol(std::move(program)));
  const model::SystemCut start = model::InitialCut(*service);
  model::PlainSystem system(*service, start);
  model::Path path;
  for (auto steps = system.Enabled(); !steps.empty(); steps = system.Enabled()) {
    path.push_back(first ? steps.front() : steps.back());
    EXPECT_TRUE(system.Apply(path.back()).ok());
  }
  auto picture = BuildSpaceTime(*service, start, {"no-deadlock", "", path}, "title");
  EXPECT_TRUE(picture.ok()) << picture.status();
  return *std::move(picture);
}

Program Pair(uint32_t value) {
  Program program;
  const Box box = program.AddMailbox<uint32_t>("box");
  program.AddProcess("receiver", [=] { return Receives(box); });
  program.AddProcess("sender", [=] { return Sends(box, value); });
  return program;
}

TEST(MatchesTest, ASendThatMeetsAReceiveIsAnArrowWhoeverWasFirst) {
  for (const bool first : {true, false}) {
    const SpaceTime picture = Picture(Pair(7), first);
    ASSERT_NE(picture.folded, nullptr);
    const SpaceTime& folded = *picture.folded;
    ASSERT_EQ(folded.lanes.size(), 2u);
    std::vector<Moment> arrows;
    std::copy_if(folded.moments.begin(), folded.moments.end(), std::back_inserter(arrows),
                 [](const Moment& m) { return m.kind == model::EventKind::kDeliver; });
    ASSERT_EQ(arrows.size(), 1u);
    EXPECT_EQ(arrows[0].peer, 1u);
    EXPECT_EQ(arrows[0].lane, 0u);
    EXPECT_EQ(arrows[0].label, "7");
    EXPECT_EQ(folded.hidden, picture.moments.size() - folded.moments.size());
    EXPECT_EQ(picture.moments[arrows[0].step - 1].lane, 2u) << "there it is served";
    const std::string text = DrawText(picture, {.utf8 = true});
    EXPECT_THAT(text, HasSubstr(" 7 ─"));
    for (const std::string& drawn : {text, DrawSvg(picture), DrawMermaid(picture)}) {
      EXPECT_THAT(drawn, Not(HasSubstr("2 mailboxes")));
      EXPECT_THAT(drawn, HasSubstr("meets the "));
      EXPECT_THAT(drawn, HasSubstr("steps between processes and mailboxes are not shown"));
    }
  }
}

TEST(MatchesTest, AProcessThatBreaksIsMarkedThere) {
  const SpaceTime picture = Picture(Pair(9));
  const auto& moments = picture.folded->moments;
  const auto breaks = std::find_if(moments.begin(), moments.end(), [](const Moment& m) {
    return m.status == model::NodeStatus::kFailed;
  });
  ASSERT_NE(breaks, moments.end());
  EXPECT_EQ(breaks->lane, 0u);
  EXPECT_THAT(DrawText(picture, {}), HasSubstr("nine"));
}

TEST(MatchesTest, WhoWaitsInVainIsSeenToWait) {
  Program program;
  const auto fork = AddSemaphore(program, "fork", 1);
  for (const char* const name : {"a", "b"}) {
    program.AddProcess(name, [=] { return Takes(fork); });
  }
  const SpaceTime picture = Picture(std::move(program));
  const std::string text = DrawText(picture, {});
  EXPECT_THAT(text, HasSubstr("there from the start"));
  EXPECT_THAT(text, HasSubstr("in vain"));
  EXPECT_THAT(text, HasSubstr("at=Wait for Recv from fork"));
}

TEST(MatchesTest, OtherServicesAreDrawnAsTheyAre) {
  EXPECT_EQ(ToyPicture("fresh", ToyPath()).folded, nullptr);
}

}  // namespace
}  // namespace foretell::agent
