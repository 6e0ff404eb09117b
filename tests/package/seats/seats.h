#pragma once

// An office sells numbered seats to whoever asks. It must not take customers to come in the order
// of their names.

#include "foretell/process.h"

namespace seats {

namespace process = foretell::process;

using Box = process::Mailbox<uint32_t>;

inline process::Task<> Customer(Box counter, Box own, uint32_t id) {
  co_await SendTo(counter, id);
  const uint32_t seat = co_await Receive(own);
  process::Assert(seat > 0, "seats have numbers from 1");
}

inline process::Task<> Office(Box counter, std::vector<Box> customers, bool by_name) {
  for (uint32_t sold = 0; sold < customers.size(); ++sold) {
    const uint32_t id = co_await Receive(counter);
    const uint32_t seat = sold + 1;
    const uint32_t next = by_name ? sold : id;
    co_await SendTo(customers[next], seat);
  }
}

struct Seats : process::ProgramOf<Seats> {
  uint32_t customers = 3;
  bool by_name = false;  // The planted bug.

  process::Program Make() const {
    process::Program program;
    const Box counter = program.AddMailbox<uint32_t>("counter");
    std::vector<Box> own;
    for (uint32_t id = 0; id < customers; ++id) {
      own.push_back(program.AddMailbox<uint32_t>("customer " + std::to_string(id)));
      program.AddProcess("customer " + std::to_string(id),
                         [=, box = own[id]] { return Customer(counter, box, id); });
    }
    program.AddProcess("office", [=, wrong = by_name] { return Office(counter, own, wrong); });
    return program;
  }
};

inline const foretell::Family<Seats> kSeats({
    .text = "An office that sells seats, and its customers.",
    .bugs = {{"by-name", "Takes customers to come in the order of their names.", &Seats::by_name}},
    .parameters = {{"customers", "how many there are", &Seats::customers, 1, 5}},
});

}  // namespace seats
