#include "foretell/integration/processes/systems.h"

#include <string>
#include <vector>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/semaphore.h"

namespace foretell::integration::processes {
namespace {

using model::process::Assert;
using model::process::Become;
using model::process::Handle;
using model::process::Mailbox;
using model::process::Program;
using model::process::Receive;
using model::process::Recv;
using model::process::Semaphore;
using model::process::Send;
using model::process::SendTo;
using model::process::Task;
using model::process::Wait;

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

Task<> Exchange(std::vector<Box> to, std::vector<Box> from, uint32_t self, bool sends_first) {
  std::vector<Handle<>> sent;
  for (const Box& box : to) {
    sent.push_back(co_await Send(box, self));
    if (sends_first) co_await Wait(sent.back());
  }
  for (const Box& box : from) co_await Receive(box);
  if (sends_first) co_return;
  for (const Handle<>& handle : sent) co_await Wait(handle);
}

Task<> Philosopher(Semaphore first, Semaphore second) {
  co_await Acquire(first);
  co_await Acquire(second);
  co_await Release(second);
  co_await Release(first);
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

Program Halo::Make() const {
  constexpr uint32_t kSide = 2;
  Program program;
  program.set_buffered(buffered);
  const auto box = [&program](uint32_t from, uint32_t to) {
    return program.AddMailbox<uint32_t>(std::to_string(from) + " to " + std::to_string(to));
  };
  for (uint32_t self = 0; self < kSide * kSide; ++self) {
    const uint32_t row = self / kSide, column = self % kSide;
    std::vector<Box> to, from;
    for (const uint32_t other :
         {row * kSide + (column + 1) % kSide, (row + 1) % kSide * kSide + column}) {
      to.push_back(box(self, other));
      from.push_back(box(other, self));
    }
    program.AddProcess("cell " + std::to_string(self),
                       [=, first = sends_first] { return Exchange(to, from, self, first); });
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

}  // namespace foretell::integration::processes
