// Layers on the primitives, under engine dpor: MPI, locks, time limits, polling. Each as the others
// would see it: what can happen, what cannot, and how many kinds of executions there are.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "foretell/model/family.h"
#include "foretell/model/process/mpi/mpi.h"
#include "foretell/model/process/mutex.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/process/semaphore.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/dpor/dpor_explorer.h"
#include "foretell/search/explorers.h"

namespace foretell::tests {
namespace {

namespace mpi = model::process::mpi;

using model::Outcome;
using model::Report;
using model::process::Assert;
using model::process::Handle;
using model::process::Mailbox;
using model::process::Mutex;
using model::process::Program;
using model::process::Task;

using Box = Mailbox<uint32_t>;

// Engine dpor, held to what a search of whole states says.
Report Check(const Program& program) {
  const auto service = model::MakeService(model::process::Protocol(program));
  const auto explore = [&](model::Explorer& explorer) {
    model::Budget budget({.steps_max = 300'000}, [] { return model::Budget::Time(); });
    auto report = explorer.Explore(model::InitialCut(*service), budget);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : Report();
  };
  Report report = explore(*search::MakeDporExplorer(*service, {}));
  const Report states = explore(*search::MakeGlobalExplorer(*service, {}));
  EXPECT_EQ(report.outcome, states.outcome);
  return report;
}

std::string Finding(const Report& report) {
  if (report.violations.empty()) return report.complete ? "nothing" : "not complete";
  return report.violations[0].invariant == "no-deadlock" ? "deadlock" : report.violations[0].text;
}

Program Ranks(uint32_t size, const std::function<Task<>(mpi::Communicator)>& rank,
              bool buffered = false) {
  Program program;
  program.set_buffered(buffered);
  mpi::AddRanks(program, size, rank);
  return program;
}

// Everybody sends to rank 0, which takes them as they come.
Task<> Race(mpi::Communicator world) {
  if (world.rank() != 0) {
    co_await mpi::Send(world, 0, world.rank(), 1);
    co_return;
  }
  for (uint32_t i = 1; i < world.size(); ++i) {
    co_await mpi::Recv<uint32_t>(world, mpi::kAnySource, 1);
  }
}

uint32_t Add(uint32_t a, uint32_t b) { return a + b; }

enum class Around { kNothing, kBarrier, kBcast, kReduce, kAllreduce, kGather, kScatter, kAlltoall };

Task<> Call(mpi::Communicator world, Around which) {
  const uint32_t own = world.rank();
  const std::vector<uint32_t> each(world.size(), own);
  switch (which) {
    case Around::kNothing: break;
    case Around::kBarrier: co_await mpi::Barrier(world); break;
    case Around::kBcast: co_await mpi::Bcast(world, 1, own); break;
    case Around::kReduce: co_await mpi::Reduce(world, 0, own, Add); break;
    case Around::kAllreduce: co_await mpi::Allreduce(world, own, Add); break;
    case Around::kGather: co_await mpi::Gather(world, 2, own); break;
    case Around::kScatter: co_await mpi::Scatter(world, 0, each); break;
    case Around::kAlltoall: co_await mpi::Alltoall(world, each); break;
  }
}

Task<> RaceBetween(mpi::Communicator world, Around which) {
  co_await Call(world, which);
  co_await Race(world);
  co_await Call(world, which);
}

class CollectivesTest : public testing::TestWithParam<Around> {};

// A collective adds steps and no executions: each of its messages has one sender and one receiver.
TEST_P(CollectivesTest, AddNoTraces) {
  const auto traces = [](Around which, bool buffered) {
    const Program program = Ranks(
        3, [which](mpi::Communicator world) { return RaceBetween(world, which); }, buffered);
    const auto service = model::MakeService(model::process::Protocol(program));
    model::Budget budget({.steps_max = 300'000}, [] { return model::Budget::Time(); });
    const auto report =
        search::MakeDporExplorer(*service, {})->Explore(model::InitialCut(*service), budget);
    EXPECT_EQ(report->outcome, Outcome::kNone);
    EXPECT_TRUE(report->complete);
    return *report->stats.traces;
  };
  for (const bool buffered : {false, true}) {
    const uint64_t alone = traces(Around::kNothing, buffered);
    EXPECT_GE(alone, 2u);
    EXPECT_EQ(traces(GetParam(), buffered), alone);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, CollectivesTest,
                         testing::Values(Around::kBarrier, Around::kBcast, Around::kReduce,
                                         Around::kAllreduce, Around::kGather, Around::kScatter,
                                         Around::kAlltoall));

Task<> CallsWhatOthersDoNot(mpi::Communicator world) {
  if (world.rank() == 0) {
    co_await mpi::Bcast(world, 0, world.rank());
  } else {
    co_await mpi::Barrier(world);
  }
  if (world.rank() == 0) {
    co_await mpi::Barrier(world);
  } else {
    co_await mpi::Bcast(world, 0, world.rank());
  }
}

TEST(MpiLayerTest, CollectivesThatDoNotMatchAreFound) {
  EXPECT_EQ(Finding(Check(Ranks(2, CallsWhatOthersDoNot))), "deadlock");
  EXPECT_EQ(Finding(Check(Ranks(2, CallsWhatOthersDoNot, /*buffered=*/true))),
            "node 1: is in Barrier of world, and rank 0 in Bcast from 0: ranks call different "
            "collectives");
}

// A named receive takes from that rank, whoever was first; messages of one tag stay in order.
Task<> Tags(mpi::Communicator world) {
  if (world.rank() != 0) {
    const auto first = co_await mpi::Isend(world, 0, 10 * world.rank() + 1, 5);
    const auto second = co_await mpi::Isend(world, 0, 10 * world.rank() + 2, 6);
    const auto third = co_await mpi::Isend(world, 0, 10 * world.rank() + 3, 5);
    const std::vector<mpi::Request<>> all = {first, second, third};
    co_await mpi::Waitall(all);
    co_return;
  }
  const auto six = co_await mpi::Recv<uint32_t>(world, 2, 6);
  const auto five = co_await mpi::Recv<uint32_t>(world, 2, 5);
  const auto any = co_await mpi::Recv<uint32_t>(world, mpi::kAnySource, 5);
  const uint32_t other = any.source == 1 ? 2 : 1;
  const auto more = co_await mpi::Recv<uint32_t>(world, other, 5);
  Assert(six.value == 22 && five.value == 21, "named");
  Assert(any.value == (any.source == 1 ? 11 : 23), "in order");
  Assert(more.value == (any.source == 1 ? 23 : 11), "in order");
  const auto one = co_await mpi::Recv<uint32_t>(world, 1, 6);
  const auto last = co_await mpi::Recv<uint32_t>(world, 1, 5);
  Assert(one.value == 12 && last.value == 13, "named");
}

TEST(MpiLayerTest, TagsAndSourcesAreKeptApart) {
  EXPECT_EQ(Finding(Check(Ranks(3, Tags))), "nothing");
}

// Two processes take turns at a number; nobody is lost.
Task<> Increments(Mutex<uint32_t> number, Box done) {
  const uint32_t before = co_await Lock(number);
  const uint32_t after = before + 1;
  co_await Unlock(number, after);
  co_await model::process::SendTo(done, after);
}
Task<> Looks(Mutex<uint32_t> number, Box done) {
  for (int i = 0; i < 2; ++i) co_await model::process::Receive(done);
  const uint32_t sum = co_await Lock(number);
  Assert(sum == 2, "an increment is lost");
  co_await Unlock(number, sum);
}

TEST(LocksTest, AMutexGuardsItsValue) {
  Program program;
  const uint32_t zero = 0;
  const auto number = AddMutex(program, "number", zero);
  const Box done = program.AddMailbox<uint32_t>("done");
  for (const char* name : {"a", "b"}) {
    program.AddProcess(name, [=] { return Increments(number, done); });
  }
  program.AddProcess("looks", [=] { return Looks(number, done); });
  EXPECT_EQ(Finding(Check(program)), "nothing");
}

using model::process::Condition;

// `waits_if`: once, and not as long as there is nothing.
Task<> Takes(Mutex<uint32_t> store, Condition filled, bool waits_if) {
  uint32_t goods = co_await Lock(store);
  while (goods == 0) {
    goods = co_await Await(filled, store, goods);
    if (waits_if) break;
  }
  Assert(goods > 0, "took what was not there");
  const uint32_t left = goods - 1;
  co_await Unlock(store, left);
}
// `too_early`: tells before there is anything.
Task<> Brings(Mutex<uint32_t> store, Condition filled, bool too_early) {
  if (too_early) co_await NotifyOne(filled);
  const uint32_t goods = co_await Lock(store);
  const uint32_t more = goods + 1;
  co_await Unlock(store, more);
  if (!too_early) co_await NotifyOne(filled);
}

Program Store(uint32_t takers, bool waits_if, bool too_early) {
  Program program;
  const uint32_t nothing = 0;
  const auto store = AddMutex(program, "store", nothing);
  const Condition filled = AddCondition(program, "filled");
  for (uint32_t i = 0; i < takers; ++i) {
    program.AddProcess("takes", [=] { return Takes(store, filled, waits_if); });
    program.AddProcess("brings", [=] { return Brings(store, filled, too_early); });
  }
  return program;
}

Report OnlyDpor(const Program& program) {
  const auto service = model::MakeService(model::process::Protocol(program));
  model::Budget budget({.steps_max = 300'000}, [] { return model::Budget::Time(); });
  const auto report =
      search::MakeDporExplorer(*service, {})->Explore(model::InitialCut(*service), budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : Report();
}

TEST(LocksTest, AConditionWakesWhoWaits) {
  EXPECT_EQ(Finding(OnlyDpor(Store(1, false, false))), "nothing");
  EXPECT_EQ(Finding(OnlyDpor(Store(1, false, true))), "deadlock") << "the wake-up is lost";
}

// The classic: woken, and somebody else was faster.
TEST(LocksTest, WaitingOnceIsNotEnough) {
  const std::string found = Finding(OnlyDpor(Store(2, true, false)));
  EXPECT_NE(found.find("took what was not there"), std::string::npos) << found;
}

Task<> EntersTwo(model::process::Semaphore two, Mutex<uint32_t> inside, bool counted) {
  if (counted) co_await Acquire(two);
  const uint32_t others = co_await Lock(inside);
  Assert(others < 2, "three are inside");
  const uint32_t with_me = others + 1;
  co_await Unlock(inside, with_me);
  const uint32_t all = co_await Lock(inside);
  const uint32_t without_me = all - 1;
  co_await Unlock(inside, without_me);
  if (counted) co_await Release(two);
}

TEST(LocksTest, ASemaphoreLetsInAsManyAsItHasTokens) {
  for (const bool counted : {true, false}) {
    Program program;
    const auto two = AddSemaphore(program, "two", 2);
    const uint32_t nobody = 0;
    const auto inside = AddMutex(program, "inside", nobody);
    for (int i = 0; i < 3; ++i) {
      program.AddProcess("enters", [=] { return EntersTwo(two, inside, counted); });
    }
    const std::string found = Finding(OnlyDpor(program));
    EXPECT_EQ(found.find("three are inside") == std::string::npos, counted) << found;
  }
}

// Polls two mailboxes around and around, with whatever is at hand.
Task<> PollsTwo(Box a, Box b, bool waits) {
  const Handle<uint32_t> first = co_await model::process::Recv(a);
  const Handle<uint32_t> second = co_await model::process::Recv(b);
  uint32_t got = 0;
  const std::chrono::milliseconds at_most(10);
  for (bool have_first = false, have_second = false; got < 2;) {
    if (!have_first && waits) {
      const auto one = co_await WaitFor(first, at_most);
      have_first = one.has_value();
      got += have_first ? 1 : 0;
    } else if (!have_first) {
      const auto one = co_await Test(first);
      have_first = one.has_value();
      got += have_first ? 1 : 0;
    }
    if (have_second) continue;
    const auto two = co_await Test(second);
    have_second = two.has_value();
    got += have_second ? 1 : 0;
  }
}
Task<> SendsOne(Box box) { co_await model::process::SendTo(box, 1u); }

TEST(PollingTest, EndsWhateverIsPolled) {
  for (const bool waits : {false, true}) {
    Program program;
    const Box a = program.AddMailbox<uint32_t>("a"), b = program.AddMailbox<uint32_t>("b");
    program.AddProcess("polls", [=] { return PollsTwo(a, b, waits); });
    program.AddProcess("sends a", [=] { return SendsOne(a); });
    program.AddProcess("sends b", [=] { return SendsOne(b); });
    EXPECT_EQ(Finding(Check(program)), "nothing");
  }
}

TEST(PollingTest, ForWhatNeverComesIsADeadlock) {
  Program program;
  const Box a = program.AddMailbox<uint32_t>("a"), b = program.AddMailbox<uint32_t>("b");
  program.AddProcess("polls", [=] { return PollsTwo(a, b, false); });
  program.AddProcess("sends a", [=] { return SendsOne(a); });
  EXPECT_EQ(Finding(Check(program)), "deadlock");
}

Task<> TriesOften(Box box, uint32_t times) {
  const Handle<uint32_t> handle = co_await model::process::Recv(box);
  for (uint32_t i = 0; i < times; ++i) {
    const auto got = co_await Test(handle);
    if (got) co_return;
  }
  Assert(false, "gave up");
}

// It gives up some time, and that is seen.
TEST(PollingTest, WhoCountsIsSeenToGiveUp) {
  Program program;
  const Box box = program.AddMailbox<uint32_t>("box");
  program.AddProcess("tries", [=] { return TriesOften(box, 20); });
  program.AddProcess("sends", [=] { return SendsOne(box); });
  EXPECT_EQ(Finding(Check(program)), "node 0: gave up");
}

}  // namespace
}  // namespace foretell::tests
