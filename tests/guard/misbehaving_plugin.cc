// A service whose "bugs" are what no service may do. Node 0 sends one Ping to node 1, which
// misbehaves.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/plugin.h"
#include "foretell/model/typed/service.h"

namespace {

using namespace foretell::model;

int* volatile nowhere = nullptr;
volatile bool for_ever = true;

// The signal is wanted, not what a sanitizer says instead: a null pointer, or a race of two threads
// to the same null.
__attribute__((no_sanitize("undefined", "thread"), noinline)) void FollowNull() { *nowhere = 1; }

// Not a loop to any compiler: what is on the stack is looked at afterwards.
int Recurse(int depth) {
  volatile char frame[256] = {static_cast<char>(depth)};
  return for_ever ? Recurse(depth + 1) + frame[0] : 0;
}

[[noreturn]] void Loop() {
  std::puts("looping");
  std::fflush(stdout);
  while (for_ever) {
  }
  std::abort();
}

struct Misbehaving {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Ping {
    uint32_t n = 0;
    FORETELL_FIELDS(n)
  };
  struct Begin {};
  using Message = Ping;
  using Action = Begin;
  std::string bug;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId node) const {
    if (bug == "initial-throws") throw std::runtime_error("no beginning");
    return {.count = node.value() + 3};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (bug == "actions-throw") throw 7;
    return node == NodeId(0) && state.count == 3 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.count;
    context.Send(NodeId(1), Ping{7});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    if (bug == "null") FollowNull();
    if (bug == "beyond") state.count = std::vector<uint32_t>(2)[state.count];
    if (bug == "recursion") state.count = static_cast<uint32_t>(Recurse(0));
    if (bug == "loop") Loop();
    if (bug == "abort") std::abort();
    if (bug == "exit") std::exit(0);
    if (bug == "pause") pause();
    if (bug == "throw") throw 7;
    ++state.count;
  }
  std::vector<TypedInvariant<State>> Invariants() const {
    return {NodeInvariant<State, uint32_t>(
        {.name = "low", .text = "The count stays low."},
        [this_bug = bug](NodeId, const State& s) {
          if (this_bug == "projection-throws" && s.count == 5) throw std::runtime_error("too high");
          return std::optional(s.count);
        },
        [this_bug = bug](uint32_t count) {
          if (this_bug == "invariant-null" && count == 5) FollowNull();
          return count > 9;
        })};
  }
};

class MisbehavingFamily : public ServiceFamily {
 public:
  std::string name() const override { return "misbehaving"; }
  std::string text() const override { return "Does what no service may do."; }
  std::vector<Named> scenarios() const override { return {{"default", "One ping."}}; }
  std::vector<Named> bugs() const override {
    std::vector<Named> bugs;
    for (const char* name :
         {"null", "beyond", "recursion", "loop", "abort", "exit", "pause", "throw",
          "initial-throws", "actions-throw", "projection-throws", "invariant-null"}) {
      bugs.push_back({name, "As it says."});
    }
    return bugs;
  }
  absl::StatusOr<System> Make(const std::string&, const std::string& bug) const override {
    System system{MakeService(Misbehaving{bug}), {}};
    system.start = InitialCut(*system.service);
    return system;
  }
};

}  // namespace

FORETELL_PLUGIN(MisbehavingFamily())
