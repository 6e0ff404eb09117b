// Programs that block, as services: engine dpor and the searches of whole states agree, bugs are
// found and replay, and bad programs are findings.

#include <gtest/gtest.h>

#include <string>

#include "foretell/integration/processes/families.h"
#include "foretell/model/process/messages.h"
#include "foretell/model/process/protocol.h"
#include "foretell/model/scenario.h"
#include "foretell/model/typed/service.h"
#include "foretell/predictors/engines.h"
#include "foretell/search/dpor/dpor_explorer.h"
#include "foretell/search/explorers.h"

namespace foretell::tests {
namespace {

using model::Outcome;
using model::Report;
using model::process::Handle;
using model::process::Mailbox;
using model::process::Program;
using model::process::Task;

Report Explore(model::Explorer& explorer, const model::SystemCut& start) {
  // Enough for all that is decided here, and little enough to end.
  model::Budget budget({.steps_max = 100'000}, [] { return model::Budget::Time(); });
  auto report = explorer.Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : Report();
}

Report Dpor(const model::System& system, bool all_invariants = false) {
  search::DporOptions options;
  options.all_invariants = all_invariants;
  return Explore(*search::MakeDporExplorer(*system.service, options), system.start);
}

model::System Make(const std::string& service, const std::string& scenario,
                   const std::string& bug = "") {
  model::Catalog catalog;
  integration::processes::AddFamilies(catalog);
  auto system = model::MakeSystem(*model::FindFamily(catalog, service), scenario, bug);
  EXPECT_TRUE(system.ok()) << system.status();
  return *std::move(system);
}

struct Case {
  const char* service;
  const char* scenario;
  const char* bug;
  const char* violated;   // One of these; empty: nothing.
  bool by_states = true;  // Small enough for a search of whole states.
};

// The path of a violation has been replayed through the plain semantics by the time it is told.
TEST(ProcessesTest, EnginesAgree) {
  for (const Case& c :
       {Case{"flawed-order", "figure-4", "", "local-assertions"},
        Case{"flawed-order", "own-mailboxes", "", ""},
        Case{"flawed-reduce", "figure-5", "", "local-assertions"},
        Case{"flawed-reduce", "own-mailboxes", "", ""},
        Case{"mailbox-server", "three-clients,clients=2", "", ""},
        Case{"mailbox-server", "three-clients,clients=2", "stops-early",
             "local-assertions no-deadlock"},
        Case{"reduce", "named", "", ""},
        Case{"reduce", "named", "as-they-come", "local-assertions"},
        Case{"reduce", "named,rounds=2", "as-they-come", "local-assertions", false},
        Case{"ring", "unbuffered", "", "", false},
        Case{"ring", "unbuffered", "sends-first", "no-deadlock"},
        Case{"ring", "buffered", "sends-first", "", false},
        Case{"master-worker", "unbuffered", "", "", false},
        Case{"master-worker", "buffered", "in-turns", "", false},
        Case{"master-worker", "unbuffered", "in-turns", "no-deadlock", false},
        Case{"master-worker", "unbuffered,workers=1,tasks=0", "", ""},
        Case{"halo", "unbuffered", "", "", false},
        Case{"halo", "buffered", "sends-first", "", false},
        Case{"halo", "unbuffered", "sends-first", "no-deadlock"},
        Case{"halo", "unbuffered,rows=2,columns=3", "sends-first", "no-deadlock", false},
        Case{"barrier", "by-name", "", "", false},
        Case{"barrier", "by-name", "counts-only", "local-assertions", false},
        Case{"barrier", "by-name,processes=2", "counts-only", "", false},
        Case{"semaphores", "one-left-handed", "", "", false},
        Case{"semaphores", "one-left-handed", "all-right-handed", "no-deadlock", false}}) {
    SCOPED_TRACE(std::string(c.service) + " " + c.scenario + " " + c.bug);
    const model::System system = Make(c.service, c.scenario, c.bug);
    std::vector<Report> reports = {Dpor(system)};
    if (c.by_states) {
      reports.push_back(Explore(*search::MakePorExplorer(*system.service, {}), system.start));
    }
    const bool violated = std::string(c.violated) != "";
    for (const Report& report : reports) {
      EXPECT_EQ(report.outcome, violated ? Outcome::kViolation : Outcome::kNone);
      EXPECT_EQ(report.complete, !violated);
      ASSERT_EQ(report.violations.size(), violated ? 1u : 0u);
      for (const model::Violation& v : report.violations) {
        EXPECT_NE(std::string(c.violated).find(v.invariant), std::string::npos) << v.invariant;
      }
    }
  }
}

// A cut without one of the nodes: what that one would do is not known, so that nobody is stuck.
TEST(ProcessesTest, NobodyIsStuckWhereANodeIsAbsent) {
  for (const uint32_t absent : {0u, 4u}) {
    model::System system = Make("halo", "unbuffered", "sends-first");
    system.start.nodes[absent].status = model::NodeStatus::kAbsent;
    for (const Report& report :
         {Dpor(system), Explore(*search::MakePorExplorer(*system.service, {}), system.start)}) {
      EXPECT_EQ(report.violations.size(), 0u);
    }
  }
}

// Who says nothing of engines gets an answer where searches of whole states do not come to an end.
TEST(ProcessesTest, TheDefaultEngineHasDporInIt) {
  const model::System system = Make("flawed-order", "unchecked,clients=5");
  const auto engine = predictors::AllEngines().front().make(*system.service, {});
  const Report report = Explore(*engine, system.start);
  EXPECT_EQ(report.answer_of, "dpor");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.traces, 120u);
}

TEST(ProcessesTest, CountsOfTheEngine) {
  const Report order = Dpor(Make("flawed-order", "unchecked"));
  EXPECT_EQ(order.stats.traces, 6u);
  EXPECT_EQ(order.stats.blocked, 0u);
  EXPECT_EQ(order.stats.traces_before_violation, std::nullopt);
  EXPECT_EQ(order.stats.transitions, 64u);
  EXPECT_TRUE(order.complete);
  EXPECT_EQ(order.notes,
            std::vector<std::string>{"6 executions followed to the end, 0 given up."});
  const Report first = Dpor(Make("flawed-reduce", "figure-5"));
  EXPECT_EQ(first.stats.traces_before_violation, 2u);
  EXPECT_EQ(first.notes[0],
            "2 executions followed to the end, 0 given up, 2 before the first violation.");
  // A named mailbox for each pair has no race, whatever the interleavings.
  EXPECT_EQ(Dpor(Make("halo", "unbuffered")).stats.traces, 1u);
  EXPECT_EQ(Dpor(Make("halo", "unbuffered,rows=3,columns=3")).stats.traces, 1u);
  EXPECT_EQ(Dpor(Make("reduce", "named,ranks=5")).stats.traces, 1u);
  EXPECT_EQ(Dpor(Make("ring", "buffered,ranks=5")).stats.traces, 1u);
  EXPECT_EQ(Dpor(Make("barrier", "by-name,processes=4")).stats.traces, 1u);
}

model::System Of(Program program) {
  model::System system;
  system.service = model::MakeService(model::process::Protocol(std::move(program)));
  system.start = model::InitialCut(*system.service);
  return system;
}

Program Pair(std::function<Task<>(Mailbox<int>)> a, std::function<Task<>(Mailbox<int>)> b) {
  Program program;
  const Mailbox<int> box = program.AddMailbox<int>("box");
  program.AddProcess("a", [=] { return a(box); });
  program.AddProcess("b", [=] { return b(box); });
  return program;
}

Task<> Receives(Mailbox<int> box) { co_await model::process::Receive(box); }
Task<> Returns(Mailbox<int>) { co_return; }
Task<> Throws(Mailbox<int> box) {
  co_await model::process::Receive(box);
  throw std::runtime_error("on purpose");
}
Task<> Sends(Mailbox<int> box) { co_await model::process::SendTo(box, 1); }
Task<> Polls(Mailbox<int> box) {
  const Handle<int> handle = co_await model::process::Recv(box);
  while (true) {
    const auto received = co_await model::process::Test(handle);
    if (received) co_return;
  }
}
Task<> SendsForEver(Mailbox<int> box) {
  while (true) co_await model::process::Send(box, 1);
}

Task<> SendsForNobody(Mailbox<int> box) { co_await model::process::Send(box, 1); }
Task<> WaitsTwice(Mailbox<int> box) {
  const Handle<int> handle = co_await model::process::Recv(box);
  co_await Wait(handle);
  co_await Wait(handle);
}
Task<> WaitsForNothing(Mailbox<int>) {
  const std::vector<Handle<int>> nothing;
  co_await WaitAny(nothing);
}
Task<> SendsNowhere(Mailbox<int>) {
  const Mailbox<int> misspelt{"bix"};
  co_await model::process::Send(misspelt, 1);
}
Task<> MistakesTheType(Mailbox<int> box) {
  const Mailbox<model::process::Post> other{box.name};
  co_await model::process::Receive(other);
}

std::string Finding(const Report& report) {
  return report.violations.empty() ? "" : report.violations[0].text;
}

// A program of one process beside one that only sends: what is said of it.
std::string Said(std::function<Task<>(Mailbox<int>)> process) {
  return Finding(Dpor(Of(Pair(std::move(process), SendsForNobody))));
}

TEST(ProcessesTest, WhatMakesNoSenseIsSaidByTheEngine) {
  EXPECT_EQ(Said(WaitsTwice),
            "node 0: waits for request 0, which is used up: a handle is good for one success");
  EXPECT_EQ(Said(WaitsForNothing), "node 0: waits for nothing");
  EXPECT_EQ(Said(SendsNowhere),
            "node 0: uses mailbox 'bix', which does not exist; did you mean 'box'?");
  EXPECT_EQ(Said(MistakesTheType), "node 0: received '1', which is not of the mailbox's type");
}

TEST(ProcessesTest, BadProgramsAreFindings) {
  const Report deadlock = Dpor(Of(Pair(Receives, Returns)));
  ASSERT_EQ(deadlock.violations.size(), 1u);
  EXPECT_EQ(deadlock.violations[0].invariant, "no-deadlock");
  EXPECT_EQ(
      Finding(deadlock),
      "When nothing can happen any more, every process has come to its end. Broken by node 0.");
  const Report thrown = Dpor(Of(Pair(Throws, Sends)));
  EXPECT_NE(Finding(thrown).find("on purpose"), std::string::npos) << Finding(thrown);
}

TEST(ProcessesTest, PollingEnds) {
  const Report report = Dpor(Of(Pair(Polls, Sends)));
  EXPECT_EQ(report.outcome, Outcome::kNone);
  EXPECT_TRUE(report.complete);
}

TEST(ProcessesTest, WhatHasNoEndIsLimited) {
  const model::System system = Of(Pair(SendsForEver, Returns));
  search::DporOptions options;
  options.depth_max = 30;
  const Report report = Explore(*search::MakeDporExplorer(*system.service, options), system.start);
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
}

// Two processes that talk through something else than mailboxes.
TEST(ProcessesTest, ASharedVariableIsNoticed) {
  static int shared = 0;
  const auto counts = [](Mailbox<int> box) -> Task<> {
    const Handle<> handle = co_await model::process::Send(box, ++shared);
    co_await model::process::Wait(handle);
  };
  const auto takes = [](Mailbox<int> box) -> Task<> {
    for (int i = 0; i < 2; ++i) co_await model::process::Receive(box);
  };
  Program program = Pair(counts, takes);
  program.AddProcess("c", [counts] { return counts({"box"}); });
  EXPECT_EQ(Dpor(Of(std::move(program))).outcome, Outcome::kNondeterminism);
}

}  // namespace
}  // namespace foretell::tests
