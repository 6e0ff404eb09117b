#include "foretell/integration/processes/systems.h"

#include <string>
#include <vector>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/semaphore.h"

namespace foretell::integration::processes {
namespace {

using model::process::Assert;
using model::process::Become;
using model::process::Mailbox;
using model::process::Program;
using model::process::Receive;
using model::process::Semaphore;
using model::process::Send;
using model::process::SendTo;
using model::process::Task;

using Box = Mailbox<uint32_t>;

// How many are still to come, and what there is so far.
using Sum = std::vector<uint32_t>;

Task<> Server(Box numbers, Box answer, Sum sum) {
  if (sum[0] == 0) {
    co_await SendTo(answer, sum[1]);
    co_return;
  }
  const uint32_t number = co_await Receive(numbers);
  const Sum next = {sum[0] - 1, sum[1] + number};
  co_await Become("server", next);
}

Task<> Client(Box numbers, uint32_t number) { co_await SendTo(numbers, number); }

Task<> Asker(Box numbers, Box answer, uint32_t expected) {
  const uint32_t own = 1;
  co_await SendTo(numbers, own);
  const uint32_t sum = co_await Receive(answer);
  Assert(sum == expected,
         "the sum is " + std::to_string(sum) + ", not " + std::to_string(expected));
}

Task<> Philosopher(Semaphore first, Semaphore second) {
  co_await Acquire(first);
  co_await Acquire(second);
  co_await Release(second);
  co_await Release(first);
}

// Tells everybody that it has come, without waiting for them to listen, and hears it from them.
Task<> Comer(std::vector<Box> to, std::vector<Box> from, uint32_t rounds) {
  for (uint32_t round = 1; round <= rounds; ++round) {
    for (const Box& box : to) co_await Send(box, round);
    for (const Box& box : from) {
      const uint32_t heard = co_await Receive(box);
      Assert(heard == round, "goes on in round " + std::to_string(round) +
                                 " because of somebody who has come to round " +
                                 std::to_string(heard));
    }
  }
}

}  // namespace

Program MailboxServer::Make() const {
  Program program;
  const Box numbers = program.AddMailbox<uint32_t>("numbers");
  const Box answer = program.AddMailbox<uint32_t>("answer");
  const uint32_t taken = stops_early ? clients - 1 : clients;
  program.Continue<Sum>("server", [=](Sum sum) { return Server(numbers, answer, std::move(sum)); });
  program.AddProcess("server", [=] {
    Sum nothing = {taken, 0};
    return Server(numbers, answer, std::move(nothing));
  });
  program.AddProcess("client 1",
                     [=, all = clients] { return Asker(numbers, answer, all * (all + 1) / 2); });
  for (uint32_t i = 2; i <= clients; ++i) {
    program.AddProcess("client " + std::to_string(i), [=] { return Client(numbers, i); });
  }
  return program;
}

Program Semaphores::Make() const {
  Program program;
  std::vector<Semaphore> forks;
  for (uint32_t i = 0; i < philosophers; ++i) {
    forks.push_back(AddSemaphore(program, "fork " + std::to_string(i), 1));
  }
  for (uint32_t i = 0; i < philosophers; ++i) {
    const bool swaps = !all_alike && i + 1 == philosophers;
    const Semaphore left = forks[i], right = forks[(i + 1) % philosophers];
    program.AddProcess("philosopher " + std::to_string(i),
                       [=] { return swaps ? Philosopher(right, left) : Philosopher(left, right); });
  }
  return program;
}

Program Barrier::Make() const {
  Program program;
  const auto box = [&program, this](uint32_t from, uint32_t to) {
    const std::string whose = counts_only ? "" : std::to_string(from) + " ";
    return program.AddMailbox<uint32_t>(whose + "to " + std::to_string(to));
  };
  for (uint32_t self = 0; self < processes; ++self) {
    std::vector<Box> to, from;
    for (uint32_t other = 0; other < processes; ++other) {
      if (other == self) continue;
      to.push_back(box(self, other));
      from.push_back(box(other, self));
    }
    program.AddProcess("process " + std::to_string(self),
                       [=, n = rounds] { return Comer(to, from, n); });
  }
  return program;
}

}  // namespace foretell::integration::processes
