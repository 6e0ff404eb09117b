#include "foretell/agent/commands/new_files.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "absl/strings/str_replace.h"

namespace foretell::agent {
namespace {

// $NAME is the service, $FILE its files and library, $TYPE its struct.
constexpr const char* kHeader = R"(#pragma once

// Node 0 hands out tickets; every other node asks for one. No two may get the same, although the
// server may crash. Change it into your own: state, messages, handlers, what must hold.

#include "foretell/service.h"

struct $TYPE {
  // The state of a node: a value. Every member is listed, or it does not compile.
  struct State {
    uint32_t next = 1;               // At the server: the next ticket.
    bool asked = false;              // At a client.
    std::optional<uint32_t> ticket;  // At a client: what it got.
    FORETELL_FIELDS(next, asked, ticket)
  };

  // What nodes send each other.
  struct Ask {};
  struct Ticket {
    uint32_t number = 0;
    FORETELL_FIELDS(number)
  };
  using Message = std::variant<Ask, Ticket>;
  // What nodes do by themselves: calls and timers. They may happen at any time.
  using Action = Ask;

  using NodeId = foretell::NodeId;
  using Context = foretell::Context<Message>;
  static constexpr NodeId kServer{0};

  uint32_t clients = 2;          // A parameter: --param clients=3.
  bool forgets_numbers = false;  // A bug to plant: --bug forgets-numbers.

  uint32_t node_count() const { return 1 + clients; }
  std::string Role(NodeId node) const { return node == kServer ? "server" : "client"; }
  // How often a fault may hit a node; --crashes 0=2 sets it from outside.
  foretell::FaultBudget faults(NodeId node) const { return {.crashes_max = node == kServer}; }

  // Whether an action is possible in a state; one Can for each kind of action.
  bool Can(NodeId node, const State& state, Ask) const { return node != kServer && !state.asked; }
  // Handlers change the state and send. They are functions of state and event: no clock, no random
  // numbers, nothing kept elsewhere. Chance is context.Choose(k), time is an action.
  void OnAction(State& state, Ask ask, Context& context) const {
    state.asked = true;
    context.Send(kServer, ask);
  }
  void OnMessage(State& state, NodeId from, Ask, Context& context) const {
    context.Send(from, Ticket{state.next++});
  }
  void OnMessage(State& state, NodeId, const Ticket& ticket, Context&) const {
    state.ticket = ticket.number;
  }
  // What survives a crash: what is on disk.
  State OnCrash(NodeId, const State& state) const { return forgets_numbers ? State{} : state; }

  // What must hold, and what should be reached, or the check says little.
  foretell::Invariants<State> Invariants() const {
    return {foretell::AtMostOne("own-ticket", "No two have the same ticket.", &State::ticket),
            foretell::Reaches("served", "Some client gets a ticket.",
                              [](const State& state) { return state.ticket.has_value(); })};
  }
};

// Its name, what can be planted and set. Checks start from the initial states; .scenarios has other
// starts.
inline const foretell::Family<$TYPE> k$TYPE({
    .name = "$NAME",
    .text = "A server that hands out tickets, and may crash.",
    .bugs = {{"forgets-numbers", "A crashed server begins with ticket 1 again.",
              &$TYPE::forgets_numbers}},
    .parameters = {{"clients", "how many clients there are", &$TYPE::clients, 1, 4}},
});
)";

constexpr const char* kPlugin = R"(#include "$FILE.h"

FORETELL_PLUGIN(k$TYPE)
)";

constexpr const char* kTest = R"(#include "$FILE.h"

#include "foretell/testing.h"

TEST($TYPETest, Holds) { EXPECT_HOLDS(k$TYPE); }

TEST($TYPETest, HoldsWithThreeClients) {
  EXPECT_HOLDS(k$TYPE, {.scenario = "start,clients=3"});
}

TEST($TYPETest, ForgettingNumbersBreaksIt) {
  EXPECT_BREAKS(k$TYPE, "own-ticket", {.bug = "forgets-numbers"});
}
)";

constexpr const char* kBuild =
    R"(# cmake -B build -DCMAKE_PREFIX_PATH=WHERE-FORETELL-IS && cmake --build build
# ctest --test-dir build
# foretell check $NAME --plugin build/lib$FILE.so --bug forgets-numbers
cmake_minimum_required(VERSION 3.25)
project($FILE LANGUAGES CXX)

find_package(foretell 0.1 REQUIRED)
foretell_add_service($FILE $FILE.cc)

enable_testing()
find_package(GTest REQUIRED)
add_executable($FILE_test $FILE_test.cc)
target_link_libraries($FILE_test PRIVATE foretell::predictors GTest::gtest_main)
include(GoogleTest)
gtest_discover_tests($FILE_test)
)";

// Structs that the header has: one inside another of its name does not compile.
constexpr const char* kTaken[] = {"Action", "Ask",   "Context", "Message",
                                  "NodeId", "State", "Ticket"};

// "TicketOffice" of "ticket-office".
std::string TypeOf(const std::string& name) {
  std::string type;
  bool begins = true;
  for (const char c : name) {
    if (c != '-') {
      type += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    }
    begins = c == '-';
  }
  const bool taken = std::find(std::begin(kTaken), std::end(kTaken), type) != std::end(kTaken);
  return taken ? type + "Service" : type;
}

}  // namespace

std::vector<NewFile> NewServiceFiles(const std::string& name) {
  const std::string file = absl::StrReplaceAll(name, {{"-", "_"}});
  std::vector<NewFile> files = {{file + ".h", kHeader},
                                {file + ".cc", kPlugin},
                                {file + "_test.cc", kTest},
                                {"CMakeLists.txt", kBuild}};
  for (NewFile& one : files) {
    one.content = absl::StrReplaceAll(one.content,
                                      {{"$NAME", name}, {"$FILE", file}, {"$TYPE", TypeOf(name)}});
  }
  return files;
}

}  // namespace foretell::agent
