// One process at a time, by hand: each primitive as a coroutine awaits it. Run under ASan, too: GCC
// 12 destroys some temporaries of co_await twice.

#include <gtest/gtest.h>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/run.h"
#include "foretell/model/typed/render.h"

namespace foretell::model::process {
namespace {

const std::string kLong = "longer than what fits into a string without memory of its own";

std::vector<std::string> Asked(const Program& program, std::vector<Result> results) {
  std::vector<std::string> asked;
  ProcessRun run(program, 0, History());
  asked.push_back(RenderLine(run.request()));
  for (const Result& result : results) {
    run.Go(result);
    asked.push_back(RenderLine(run.request()));
  }
  return asked;
}

std::string Broken(const Program& program, std::vector<Result> results) {
  try {
    Asked(program, std::move(results));
  } catch (const AssertionFailed& failed) {
    return failed.what();
  }
  return "";
}

Program With(Program::Start start) {
  Program program;
  program.AddMailbox<std::string>("box");
  program.AddMailbox<std::string>("other");
  program.AddProcess("one", std::move(start));
  return program;
}

Completed Got(uint32_t index, const std::string& value) { return {index, value, 0}; }

Task<> Sends(Mailbox<std::string> box, std::string value) {
  const Handle<> handle = co_await Send(box, value);
  co_await Wait(handle);
}

TEST(ProcessTest, SendAndWait) {
  const Program program = With([] { return Sends({"box"}, kLong); });
  EXPECT_EQ(Asked(program, {Posted(), Got(0, "")}),
            (std::vector<std::string>{"Send(to=box, value=" + kLong + ", buffered=no, post=0)",
                                      "Wait(posts=[0], expires=0)", "End()"}));
}

Task<> Receives(Mailbox<std::string> box) {
  const Handle<std::string> handle = co_await Recv(box);
  const std::string value = co_await Wait(handle);
  Assert(value == kLong, "got '" + value + "'");
}

TEST(ProcessTest, RecvAndWait) {
  const Program program = With([] { return Receives({"box"}); });
  EXPECT_EQ(Broken(program, {Posted(), Got(0, kLong)}), "");
  EXPECT_EQ(Broken(program, {Posted(), Got(0, "x")}), "got 'x'");
}

Task<> WaitsForAny(Mailbox<std::string> box, Mailbox<std::string> other) {
  std::vector<Handle<std::string>> handles;
  handles.push_back(co_await Recv(box));
  handles.push_back(co_await Recv(other));
  const Picked<std::string> picked = co_await WaitAny(handles);
  co_await Become("echo", picked.value + std::to_string(picked.index));
}
Task<> Echo(std::string text) {
  const Mailbox<std::string> box{"box"};
  co_await SendTo(box, text);
}

TEST(ProcessTest, WaitAnyAndBecome) {
  Program program = With([] { return WaitsForAny({"box"}, {"other"}); });
  program.Continue<std::string>("echo", [](std::string text) { return Echo(std::move(text)); });
  ProcessRun run(program, 0, {{}, {Posted(), Posted(), Got(1, kLong)}});
  EXPECT_EQ(run.history().as.name, "echo");
  EXPECT_EQ(run.history().as.argument, kLong + "1");
  EXPECT_EQ(run.history().as.posts, 2u) << "the first receive is open, and its number is taken";
  EXPECT_TRUE(run.history().results.empty());
  EXPECT_EQ(std::get<SendRequest>(run.request()).post, 2u);
  // The history that is left leads to the same place.
  EXPECT_EQ(ProcessRun(program, 0, run.history()).request(), run.request());
}

Task<> Tests(Mailbox<std::string> box) {
  const Handle<std::string> handle = co_await Recv(box);
  while (true) {
    const auto done = co_await Test(handle);
    if (done) co_return;
  }
}

TEST(ProcessTest, PollingIsAnsweredWhenThereIsNews) {
  const Program program = With([] { return Tests({"box"}); });
  EXPECT_EQ(Asked(program, {Posted(), Pending(), Pending(), Got(0, kLong)}),
            (std::vector<std::string>{"Recv(from=[box], post=0)", "Test(posts=[0], polled=[])",
                                      "Test(posts=[0], polled=[])", "Test(posts=[0], polled=[0])",
                                      "End()"}));
}

Task<> Hurries(Mailbox<std::string> box) {
  Inbox<std::string> inbox{box};
  const std::chrono::milliseconds at_most(20);
  auto received = co_await Receive(&inbox, at_most);
  if (!received) received = co_await Receive(&inbox, at_most);
  Assert(received.has_value(), "too late");
  Assert(*received == kLong, "got '" + *received + "'");
}

TEST(ProcessTest, ReceiveWithATimeLimit) {
  const Program program = With([] { return Hurries({"box"}); });
  EXPECT_EQ(Asked(program, {Posted(), Pending()}),
            (std::vector<std::string>{"Recv(from=[box], post=0)", "Wait(posts=[0], expires=20)",
                                      "Wait(posts=[0], expires=20)"}))
      << "the second goes on waiting for what the first has posted";
  EXPECT_EQ(Broken(program, {Posted(), Pending(), Pending()}), "too late");
  EXPECT_EQ(Broken(program, {Posted(), Pending(), Got(0, kLong)}), "");
  EXPECT_EQ(Broken(program, {Posted(), Got(0, kLong)}), "");
}

Task<> SendsInTime(Mailbox<std::string> box) {
  const std::chrono::milliseconds at_most(20);
  const bool sent = co_await SendTo(box, kLong, at_most);
  Assert(sent, "nobody came");
}

TEST(ProcessTest, SendWithATimeLimit) {
  const Program program = With([] { return SendsInTime({"box"}); });
  EXPECT_EQ(Broken(program, {Posted(), Pending()}), "nobody came");
  EXPECT_EQ(Broken(program, {Posted(), Got(0, "")}), "");
}

Task<> WaitsAgainAndAgain(Mailbox<std::string> box) {
  Inbox<std::string> inbox{box};
  std::chrono::milliseconds at_most(20);
  while (true) {
    const auto received = co_await Receive(&inbox, at_most);
    if (received) co_return;
    if (at_most < std::chrono::seconds(10)) at_most *= 2;
  }
}

TEST(ProcessTest, WaitingAgainAndAgainIsPolling) {
  const Program program = With([] { return WaitsAgainAndAgain({"box"}); });
  EXPECT_EQ(Asked(program, {Posted(), Pending(), Pending()})[3], "Test(posts=[0], polled=[0])");
  EXPECT_EQ(Broken(program, {Posted(), Pending(), Pending(), Got(0, kLong)}), "");
}

Task<> GivesUp(Mailbox<std::string> box, uint32_t after) {
  const Handle<std::string> handle = co_await Recv(box);
  for (uint32_t i = 0; i < after; ++i) {
    const auto done = co_await Test(handle);
    if (done) co_return;
  }
  Assert(false, "nothing came");
}

// Each attempt of one that counts is a step of its own: what follows the last must be seen.
TEST(ProcessTest, WhoCountsDoesNotPoll) {
  const Program program = With([] { return GivesUp({"box"}, 5); });
  EXPECT_EQ(Asked(program, {Posted(), Pending(), Pending(), Pending()})[4],
            "Test(posts=[0], polled=[])");
  EXPECT_EQ(Broken(program, {Posted(), Pending(), Pending(), Pending(), Pending(), Pending()}),
            "nothing came");
}

Task<> TestsTwo(Mailbox<std::string> box, Mailbox<std::string> other) {
  std::vector<Handle<std::string>> handles;
  handles.push_back(co_await Recv(box));
  handles.push_back(co_await Recv(other));
  const auto done = co_await TestAny(handles);
  Assert(done && done->index == 1 && done->value == kLong, "the second");
}

TEST(ProcessTest, TestAny) {
  const Program program = With([] { return TestsTwo({"box"}, {"other"}); });
  EXPECT_EQ(Broken(program, {Posted(), Posted(), Got(1, kLong)}), "");
  EXPECT_EQ(Broken(program, {Posted(), Posted(), Pending()}), "the second");
}

Task<> ReceivesAny(std::vector<Mailbox<std::string>> boxes) {
  const Handle<std::string> handle = co_await RecvAny(boxes);
  const std::string value = co_await Wait(handle);
  Assert(value.empty(), value);
}

TEST(ProcessTest, RecvAny) {
  const Program program = With([] {
    std::vector<Mailbox<std::string>> boxes = {{"box"}, {"other"}};
    return ReceivesAny(std::move(boxes));
  });
  EXPECT_EQ(Asked(program, {}), std::vector<std::string>{"Recv(from=[box other], post=0)"});
  EXPECT_EQ(Broken(program, {Posted(), Got(0, kLong)}), kLong);
}

Task<> WaitsTwice(Mailbox<std::string> box) {
  const Handle<std::string> handle = co_await Recv(box);
  co_await Wait(handle);
  co_await Wait(handle);
}
Task<> WaitsForNothing() {
  const std::vector<Handle<>> nothing;
  co_await WaitAny(nothing);
}
Task<> Becomes(std::string name) { co_await Become(name, std::string("x")); }

TEST(ProcessTest, WhatMakesNoSenseBreaksTheProcess) {
  EXPECT_EQ(Broken(With([] { return WaitsTwice({"box"}); }), {Posted(), Got(0, "")}),
            "waits for request 0, which is used up: a handle is good for one success");
  EXPECT_EQ(Broken(With([] { return WaitsForNothing(); }), {}), "waits for nothing");
  EXPECT_EQ(Broken(With([] { return Sends({"bax"}, ""); }), {}),
            "uses mailbox 'bax', which does not exist; did you mean 'box'?");
  EXPECT_EQ(Broken(With([] { return Becomes("nothing"); }), {}),
            "becomes 'nothing', which the program does not have");
  Program loop = With([] { return Becomes("again"); });
  loop.Continue<std::string>("again", [](std::string) { return Becomes("again"); });
  EXPECT_EQ(Broken(loop, {}), "becomes 'again' 1000 times in a row without asking for anything");
}

// The state of a process may have been recorded as that of a node which is none.
TEST(ProcessTest, AProcessThatTheProgramDoesNotHaveBreaks) {
  const Program program = With([] { return Receives({"box"}); });
  EXPECT_THROW(ProcessRun(program, 1, History()), AssertionFailed);
}

// Histories come from files and from others.
TEST(ProcessTest, AnswersThatMakeNoSenseBreakTheProcess) {
  const Program program = With([] { return Receives({"box"}); });
  EXPECT_EQ(Broken(program, {Got(0, "")}),
            "asked for Recv(from=[box], post=0) and was answered Completed(index=0, value=, "
            "mailbox=0), which makes no sense");
  EXPECT_NE(Broken(program, {Posted(), Pending()}), "");
  EXPECT_NE(Broken(program, {Posted(), Got(1, "")}), "");
  EXPECT_NE(Broken(program, {Posted(), Got(0, kLong), Posted()}), "");
}

TEST(ProcessTest, ValuesTravelAsPeopleReadThem) {
  const std::vector<int> list = {1, -2, 3};
  EXPECT_EQ(ToText(list), "1 -2 3");
  EXPECT_EQ(FromText<std::vector<int>>("1 -2 3"), list);
  EXPECT_EQ(ToText(std::string("x y")), "x y");
  EXPECT_EQ(ToText(uint8_t{200}), "200");
  EXPECT_EQ(FromText<uint8_t>("300"), std::nullopt);
  EXPECT_EQ(FromText<int>("seven"), std::nullopt);
  EXPECT_EQ(FromText<Post>(ToText(Post{2, 300})), (Post{2, 300}));
  EXPECT_EQ(FromText<Post>("zz"), std::nullopt);
}

}  // namespace
}  // namespace foretell::model::process
