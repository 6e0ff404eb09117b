#include "foretell/integration/processes/flawed.h"

#include <algorithm>
#include <string>
#include <vector>

#include "foretell/model/process/messages.h"

namespace foretell::integration::processes {
namespace {

using model::process::Assert;
using model::process::Mailbox;
using model::process::Program;
using model::process::Receive;
using model::process::SendTo;
using model::process::Task;

using Boxes = std::vector<Mailbox<uint32_t>>;

Task<> Client(Mailbox<uint32_t> box, uint32_t id, uint32_t times) {
  for (uint32_t i = 0; i < times; ++i) co_await SendTo(box, id);
}

Task<> OrderServer(Boxes boxes, bool checked) {
  uint32_t value = 0;
  for (const Mailbox<uint32_t>& box : boxes) value = co_await Receive(box);
  const auto last = static_cast<uint32_t>(boxes.size());
  if (checked) Assert(value == last, "value == " + std::to_string(last));
}

Task<> ReduceServer(Boxes boxes, uint32_t rounds, bool checked) {
  for (uint32_t round = 0; round < rounds; ++round) {
    const uint32_t first = co_await Receive(boxes[0]);
    const uint32_t second = co_await Receive(boxes[1]);
    if (checked) Assert(std::min(first, second) == 1, "min(first, second) == 1");
  }
}

// One mailbox for all clients, or one for each.
Boxes MakeBoxes(Program& program, uint32_t clients, bool each) {
  Boxes boxes;
  for (uint32_t i = 0; i < clients; ++i) {
    const std::string name = each ? "mailbox-" + std::to_string(i + 1) : "mailbox";
    boxes.push_back(program.AddMailbox<uint32_t>(name));
  }
  return boxes;
}

void AddClients(Program& program, const Boxes& boxes, uint32_t times) {
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    program.AddProcess("client " + std::to_string(i + 1),
                       [box = boxes[i], id = i + 1, times] { return Client(box, id, times); });
  }
}

}  // namespace

Program FlawedOrder::Make() const {
  Program program;
  const Boxes boxes = MakeBoxes(program, clients, in_order);
  program.AddProcess("server",
                     [boxes, checked = !unchecked] { return OrderServer(boxes, checked); });
  AddClients(program, boxes, 1);
  return program;
}

Program FlawedReduce::Make() const {
  Program program;
  const Boxes boxes = MakeBoxes(program, 2, in_order);
  program.AddProcess("server", [boxes, n = rounds, checked = !unchecked] {
    return ReduceServer(boxes, n, checked);
  });
  AddClients(program, boxes, rounds);
  return program;
}

}  // namespace foretell::integration::processes
