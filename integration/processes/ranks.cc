#include "foretell/integration/processes/ranks.h"

#include <string>
#include <vector>

#include "foretell/model/process/mpi/mpi.h"

namespace foretell::integration::processes {
namespace {

namespace mpi = model::process::mpi;

using model::process::Assert;
using model::process::Program;
using model::process::Task;

uint32_t Append(uint32_t number, uint32_t digit) { return 10 * number + digit; }

// By hand, and wrong.
Task<uint32_t> ReduceAsTheyCome(mpi::Communicator world, uint32_t own) {
  if (world.rank() != 0) {
    co_await mpi::Send(world, 0, own);
    co_return own;
  }
  for (uint32_t i = 1; i < world.size(); ++i) {
    const auto got = co_await mpi::Recv<uint32_t>(world, mpi::kAnySource);
    own = Append(own, got.value);
  }
  co_return own;
}

Task<> Reducer(mpi::Communicator world, uint32_t rounds, bool as_they_come) {
  uint32_t expected = 1;
  for (uint32_t digit = 2; digit <= world.size(); ++digit) expected = Append(expected, digit);
  for (uint32_t round = 0; round < rounds; ++round) {
    uint32_t number = world.rank() + 1;
    if (as_they_come) {
      number = co_await ReduceAsTheyCome(world, number);
    } else {
      number = co_await mpi::Reduce(world, 0, number, Append);
    }
    if (world.rank() != 0) continue;
    Assert(number == expected,
           "the number is " + std::to_string(number) + ", not " + std::to_string(expected));
  }
}

Task<> Link(mpi::Communicator world, bool sends_first) {
  const uint32_t right = (world.rank() + 1) % world.size();
  const uint32_t left = (world.rank() + world.size() - 1) % world.size();
  uint32_t passed = world.rank() + 1;
  uint32_t sum = passed;
  for (uint32_t i = 1; i < world.size(); ++i) {
    const mpi::Request<> sent = co_await mpi::Isend(world, right, passed);
    if (sends_first) co_await mpi::Wait(sent);
    const auto got = co_await mpi::Recv<uint32_t>(world, left);
    if (!sends_first) co_await mpi::Wait(sent);
    passed = got.value;
    sum += passed;
  }
  const uint32_t expected = world.size() * (world.size() + 1) / 2;
  Assert(sum == expected,
         "the sum is " + std::to_string(sum) + ", not " + std::to_string(expected));
}

constexpr uint32_t kStop = 0;

// Tasks are numbers from 1.
Task<> Worker(mpi::Communicator world) {
  while (true) {
    const auto task = co_await mpi::Recv<uint32_t>(world, 0);
    if (task.value == kStop) co_return;
    const uint32_t result = task.value * task.value;
    co_await mpi::Send(world, 0, result);
  }
}

Task<> Master(mpi::Communicator world, uint32_t tasks, bool in_turns) {
  const uint32_t workers = world.size() - 1;
  uint32_t given = 0, sum = 0, expected = 0;
  for (uint32_t worker = 1; worker <= workers; ++worker) {
    const uint32_t task = given < tasks ? ++given : kStop;
    co_await mpi::Send(world, worker, task);
  }
  for (uint32_t done = 0; done < tasks; ++done) {
    const auto result = co_await mpi::Recv<uint32_t>(world, mpi::kAnySource);
    sum += result.value;
    expected += (done + 1) * (done + 1);
    const uint32_t to = in_turns ? 1 + done % workers : result.source;
    const uint32_t task = given < tasks ? ++given : kStop;
    co_await mpi::Send(world, to, task);
  }
  Assert(sum == expected,
         "the sum is " + std::to_string(sum) + ", not " + std::to_string(expected));
}

Task<> MasterOrWorker(mpi::Communicator world, uint32_t tasks, bool in_turns) {
  return world.rank() == 0 ? Master(world, tasks, in_turns) : Worker(world);
}

std::vector<uint32_t> Neighbours(uint32_t cell, uint32_t rows, uint32_t columns) {
  std::vector<uint32_t> neighbours;
  const uint32_t row = cell / columns, column = cell % columns;
  if (row > 0) neighbours.push_back(cell - columns);
  if (column > 0) neighbours.push_back(cell - 1);
  if (column + 1 < columns) neighbours.push_back(cell + 1);
  if (row + 1 < rows) neighbours.push_back(cell + columns);
  return neighbours;
}

Task<> Cell(mpi::Communicator world, std::vector<uint32_t> neighbours, bool sends_first) {
  std::vector<mpi::Request<>> sent;
  for (const uint32_t neighbour : neighbours) {
    sent.push_back(co_await mpi::Isend(world, neighbour, world.rank()));
    if (sends_first) co_await mpi::Wait(sent.back());
  }
  for (const uint32_t neighbour : neighbours) {
    const auto got = co_await mpi::Recv<uint32_t>(world, neighbour);
    Assert(got.value == neighbour, "a value of another cell");
  }
  if (!sends_first) co_await mpi::Waitall(sent);
}

}  // namespace

Program Reduction::Make() const {
  Program program;
  mpi::AddRanks(program, ranks, [=, n = rounds, any = as_they_come](mpi::Communicator world) {
    return Reducer(world, n, any);
  });
  return program;
}

Program Ring::Make() const {
  Program program;
  program.set_buffered(buffered);
  mpi::AddRanks(program, ranks,
                [first = sends_first](mpi::Communicator world) { return Link(world, first); });
  return program;
}

Program MasterWorker::Make() const {
  Program program;
  program.set_buffered(buffered);
  mpi::AddRanks(program, workers + 1, [n = tasks, turns = in_turns](mpi::Communicator world) {
    return MasterOrWorker(world, n, turns);
  });
  return program;
}

Program Halo::Make() const {
  Program program;
  program.set_buffered(buffered);
  mpi::AddRanks(program, rows * columns,
                [r = rows, c = columns, first = sends_first](mpi::Communicator world) {
                  return Cell(world, Neighbours(world.rank(), r, c), first);
                });
  return program;
}

}  // namespace foretell::integration::processes
