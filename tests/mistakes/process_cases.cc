#include <stdexcept>

#include "foretell/model/process/foretell.h"
#include "foretell/tests/mistakes/run_case.h"

namespace foretell::mistakes {
namespace {

using process::Handle;
using process::Mailbox;
using process::Task;

using Box = Mailbox<int>;
using Body = Task<> (*)(Box);

// One process, called a, that makes the mistake, and b beside it.
template <Body kA, Body kB>
struct Two : process::ProgramOf<Two<kA, kB>> {
  process::Program Make() const {
    process::Program program;
    const Box box = program.AddMailbox<int>("numbers");
    program.AddProcess("a", [=] { return kA(box); });
    program.AddProcess("b", [=] { return kB(box); });
    program.Continue<int>("again", [](int) { return Again(); });
    return program;
  }
  static Task<> Again() { co_await process::Become("again", 1); }
};

Task<> SendsForNobody(Box box) { co_await Send(box, 1); }
Task<> Receives(Box box) { co_await Receive(box); }
Task<> Returns(Box) { co_return; }

Task<> WaitsTwice(Box box) {
  const Handle<int> handle = co_await Recv(box);
  co_await Wait(handle);
  co_await Wait(handle);
}
Task<> WaitsForNothing(Box) {
  const std::vector<Handle<int>> nothing;
  co_await WaitAny(nothing);
}
Task<> InventsAHandle(Box) {
  const Handle<int> invented{7};
  co_await Wait(invented);
}
Task<> Misspells(Box) {
  const Box misspelt{"nubmers"};
  co_await Send(misspelt, 1);
}
Task<> MistakesTheType(Box box) {
  const Mailbox<process::Post> other{box.name};
  co_await Receive(other);
}
Task<> Throws(Box box) {
  co_await Receive(box);
  throw std::out_of_range("no entry for 1");
}
Task<> AssertsTwo(Box box) {
  const int value = co_await Receive(box);
  process::Assert(value == 2, "value == 2");
}
Task<> BecomesAnother(Box) { co_await process::Become("agian", 1); }
Task<> BecomesForEver(Box) { co_await process::Become("again", 1); }
Task<> SendsForEver(Box box) {
  while (true) co_await Send(box, 1);
}
Task<> Polls(Box box) {
  const Handle<int> handle = co_await Recv(box);
  while (true) {
    const auto received = co_await Test(handle);
    if (received) co_return;
  }
}

int shared = 0;
Task<> SendsWhatOthersChange(Box box) {
  const Handle<> handle = co_await Send(box, ++shared);
  co_await Wait(handle);
}

template <Body kA, Body kB = SendsForNobody>
std::function<std::string(const std::string&)> Checked(CheckOptions options = {}) {
  return [options](const std::string& engine) {
    shared = 0;
    const Family<Two<kA, kB>> family({.name = "two", .text = "Two processes."});
    return TextOf(family, engine, options);
  };
}

}  // namespace

std::vector<RunCase> ProcessCases() {
  const std::vector<std::string> engines = {"dpor", "global", "por", "lmc", "portfolio"};
  // Engine lmc does not look at terminal states.
  const std::vector<std::string> exhaustive = {"dpor", "global", "por", "portfolio"};
  const std::string stuck =
      "no-deadlock: When nothing can happen any more, every process has come to its end. Broken by "
      "node 0.";
  const std::string breaks = "local-assertions: node 0: ";
  const auto broken = [&](const char* name, const char* written, const std::string& read,
                          const auto& text) {
    return RunCase{name, written, breaks + read, kViolated, text, engines};
  };
  return {
      broken("HandleUsedTwice", "A handle that is waited for twice.",
             "waits for request 0, which is used up: a handle is good for one success",
             Checked<WaitsTwice>()),
      broken("InventedHandle", "A handle that no request gave.",
             "waits for request 7, which it has never made", Checked<InventsAHandle>()),
      broken("WaitsForNothing", "`WaitAny` of no handles.", "waits for nothing",
             Checked<WaitsForNothing>()),
      broken("MisspeltMailbox", "A mailbox that does not exist.",
             "uses mailbox 'nubmers', which does not exist; did you mean 'numbers'?",
             Checked<Misspells>()),
      broken("MailboxOfAnotherType", "A mailbox that is taken for one of another type.",
             "received '1', which is not of the mailbox's type", Checked<MistakesTheType>()),
      broken("ThrowingProcess", "A process that throws.", "exception: no entry for 1",
             Checked<Throws>()),
      broken("FailedAssert", "An `Assert` that does not hold.", "value == 2",
             Checked<AssertsTwo>()),
      broken("BecomesAnother", "`Become` of what the program does not have.",
             "becomes 'agian', which the program does not have", Checked<BecomesAnother>()),
      broken("BecomesForEver", "A process that only becomes something else.",
             "becomes 'again' 1000 times in a row without asking for anything",
             Checked<BecomesForEver>()),
      {"EndsWhileOthersWait", "A process that ends while another waits for it.", stuck, kViolated,
       Checked<Receives, Returns>(), exhaustive},
      {"PollsInVain", "`while (!Test(handle))` for what never comes.", stuck, kViolated,
       Checked<Polls, Returns>(), exhaustive},
      {"SharedVariable", "Two processes that share a variable.",
       "it depends on something else: a static or shared variable", kFickle,
       Checked<SendsWhatOthersChange, SendsWhatOthersChange>(), engines},
      {"SendsForEver",
       "A process that sends without end.",
       "grow",
       kNotComplete,
       Checked<SendsForEver, Receives>({.steps = 2'000}),
       {"dpor", "global"}},
  };
}

}  // namespace foretell::mistakes
