// Programs that block, of which one process does what no process may do: what a coroutine does
// between two primitives is a handler like any other.

#include <cstdlib>

#include "foretell/model/plugin.h"
#include "foretell/model/process/foretell.h"

namespace {

namespace process = foretell::process;

using Box = process::Mailbox<int>;

volatile bool for_ever = true;

process::Task<> Receiver(Box box, bool loops) {
  const int value = co_await Receive(box);
  while (loops && for_ever) {
  }
  if (value == 1) std::abort();
}
process::Task<> Sender(Box box, int value) { co_await SendTo(box, value); }

struct Looping : process::ProgramOf<Looping> {
  bool loops = false;
  bool aborts = false;

  process::Program Make() const {
    process::Program program;
    const Box box = program.AddMailbox<int>("box");
    program.AddProcess("receiver", [=, wrong = loops] { return Receiver(box, wrong); });
    program.AddProcess("sender", [=, value = aborts ? 1 : 2] { return Sender(box, value); });
    return program;
  }
};

const foretell::Family<Looping> kLooping({
    .text = "A receiver that never comes back.",
    .bugs = {{"loop", "It runs round in a circle.", &Looping::loops},
             {"abort", "It gives up.", &Looping::aborts}},
});

}  // namespace

FORETELL_PLUGIN(kLooping)
