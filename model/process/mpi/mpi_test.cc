// One rank at a time, by hand: what it asks for, and what it makes of the answers. Run under ASan,
// too: each awaitable and task here is one that GCC 12 could get wrong.

#include "foretell/model/process/mpi/mpi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/process/run.h"
#include "foretell/model/typed/render.h"

namespace foretell::model::process::mpi {
namespace {

using testing::ElementsAre;

const std::string kLong = "longer than what fits into a string without memory of its own";

// What the first of `size` ranks asks for, answer by answer.
std::vector<std::string> Asked(uint32_t size, const std::function<Task<>(Communicator)>& rank,
                               const std::vector<Result>& results, uint32_t which = 0) {
  Program program;
  AddRanks(program, size, rank);
  std::vector<std::string> asked;
  ProcessRun run(program, which, History());
  asked.push_back(run.Doing());
  for (const Result& result : results) {
    run.Go(result);
    asked.push_back(run.Doing());
  }
  return asked;
}

std::string Broken(uint32_t size, const std::function<Task<>(Communicator)>& rank,
                   const std::vector<Result>& results, uint32_t which = 0) {
  try {
    Asked(size, rank, results, which);
  } catch (const AssertionFailed& failed) {
    return failed.what();
  }
  return "";
}

Completed Got(const std::string& value, uint32_t mailbox = 0, uint32_t index = 0) {
  return {index, value, mailbox};
}

Task<> SendsAndReceives(Communicator world) {
  const Request<> sent = co_await Isend(world, 1, kLong, 7);
  const Received<std::string> got = co_await Recv<std::string>(world, 2);
  Assert(got.value == kLong && got.source == 2, got.value);
  co_await Wait(sent);
}

TEST(MpiTest, PointToPoint) {
  EXPECT_THAT(Asked(3, SendsAndReceives, {Posted(), Posted(), Got(kLong), Got("")}),
              ElementsAre("Send to world 0>1 tag 7", "Recv from world 2>0 tag 0",
                          "Wait for Recv from world 2>0 tag 0", "Wait for Send to world 0>1 tag 7",
                          "ended"));
}

Task<> TakesAnybody(Communicator world) {
  const Received<std::string> got = co_await Recv<std::string>(world, kAnySource);
  Assert(got.source != 2, got.value);
}

TEST(MpiTest, AnySourceSaysWhichItWas) {
  EXPECT_THAT(Asked(3, TakesAnybody, {}),
              ElementsAre("Recv from world 0>0 tag 0 or world 1>0 tag 0 or world 2>0 tag 0"));
  EXPECT_EQ(Broken(3, TakesAnybody, {Posted(), Got("x", 1)}), "");
  EXPECT_EQ(Broken(3, TakesAnybody, {Posted(), Got(kLong, 2)}), kLong);
}

Task<> WaitsForSome(Communicator world) {
  std::vector<Request<uint32_t>> requests;
  for (uint32_t rank = 1; rank < world.size(); ++rank) {
    requests.push_back(co_await Irecv<uint32_t>(world, rank));
  }
  const auto first = co_await Waitany(requests);
  Assert(first.first == 1 && first.second.value == 5 && first.second.source == 2, "the second");
  requests.erase(requests.begin() + first.first);
  const auto test = co_await Test(requests.front());
  Assert(!test.has_value(), "nothing yet");
  const std::vector<Received<uint32_t>> rest = co_await Waitall(requests);
  Assert(rest.size() == 1 && rest[0].value == 4 && rest[0].source == 1, "the first");
}

TEST(MpiTest, WaitanyTestAndWaitall) {
  EXPECT_EQ(Broken(3, WaitsForSome, {Posted(), Posted(), Got("5", 0, 1), Pending(), Got("4")}), "");
}

Task<> NamesAStranger(Communicator world) { co_await Send(world, 3, kLong); }

TEST(MpiTest, RanksThatAreNotThereAreNamed) {
  EXPECT_EQ(Broken(3, NamesAStranger, {}), "names rank 3 of world, which has 3 ranks");
}

uint32_t Append(uint32_t a, uint32_t b) { return 10 * a + b; }

Task<> Reduces(Communicator world) {
  const uint32_t own = world.rank() + 1;
  const uint32_t all = co_await Reduce(world, 1, own, Append);
  Assert(all == (world.rank() == 1 ? 123u : own), std::to_string(all));
}

TEST(MpiTest, ReduceGoesByRank) {
  EXPECT_EQ(
      Broken(3, Reduces, {Posted(), Got("Reduce to 1: 1"), Posted(), Got("Reduce to 1: 3")}, 1),
      "");
  EXPECT_THAT(Asked(3, Reduces, {Posted(), Got("")}),
              ElementsAre("Send to world 0>1", "Wait for Send to world 0>1", "ended"));
}

Task<> Broadcasts(Communicator world) {
  const std::string own = world.rank() == 0 ? kLong : "";
  const std::string said = co_await Bcast(world, 0, own);
  Assert(said == kLong, said);
}

TEST(MpiTest, BcastReachesAll) {
  EXPECT_THAT(Asked(2, Broadcasts, {Posted(), Got("")}),
              ElementsAre("Send to world 0>1", "Wait for Send to world 0>1", "ended"));
  EXPECT_EQ(Broken(2, Broadcasts, {Posted(), Got("Bcast from 0: " + kLong)}, 1), "");
  EXPECT_EQ(Broken(2, Broadcasts, {Posted(), Got("Reduce to 0: 7")}, 1),
            "is in Bcast from 0 of world, and rank 0 in Reduce to 0: ranks call different "
            "collectives");
}

Task<> GathersAndScatters(Communicator world) {
  const uint32_t own = world.rank() * 2;
  std::vector<uint32_t> all = co_await Gather(world, 0, own);
  if (world.rank() == 0) Assert(all.size() == 2 && all[0] == 0 && all[1] == 2, "gathered");
  const uint32_t back = co_await Scatter(world, 0, all);
  Assert(back == own, "scattered");
  const std::vector<uint32_t> mine = {10 * own, 10 * own + 1};
  const std::vector<uint32_t> swapped = co_await Alltoall(world, mine);
  Assert(swapped.size() == 2, "swapped");
  const uint32_t sum = co_await Allreduce(world, own, Append);
  Assert(sum == 2, "reduced");
  co_await Barrier(world);
}

TEST(MpiTest, GatherScatterAlltoallAllreduceBarrier) {
  EXPECT_THAT(Broken(2, GathersAndScatters,
                     {Posted(), Got("Gather to 0: 2"), Posted(), Got(""), Posted(), Posted(),
                      Got("Alltoall: 20"), Got(""), Posted(), Got("Allreduce: 2"), Posted(),
                      Got(""), Posted(), Got("Barrier: 0"), Posted(), Got("")}),
              "");
}

Task<> GivesTooLittle(Communicator world) {
  const std::vector<uint32_t> one = {1};
  co_await Scatter(world, 0, one);
}

TEST(MpiTest, ValuesThatDoNotFitAreNamed) {
  EXPECT_EQ(Broken(2, GivesTooLittle, {}),
            "Scatter from 0 gives out 1 values in world, which has 2 ranks");
}

Task<> Splits(Communicator world) {
  const uint32_t colour = world.rank() % 2;
  const uint32_t key = world.size() - world.rank();
  const Communicator half = co_await Split(world, "half", colour, key);
  Assert(half.size() == 2 && half.rank() == 1, "the larger key");
  co_await Send(half, 0, colour);
}

TEST(MpiTest, SplitByColourAndKey) {
  EXPECT_THAT(Asked(4, Splits,
                    {Posted(), Got("Split: 1 3"), Posted(), Got("Split: 0 2"), Posted(),
                     Got("Split: 1 1"), Posted(), Posted(), Posted(), Got(""), Got(""), Got("")})
                  .back(),
              "Send to world.half0 1>0 tag 0");
}

}  // namespace
}  // namespace foretell::model::process::mpi
