#pragma once

// A program of processes as a protocol like any other: one node per process and one, the last, for
// all mailboxes. A process asks the mailboxes and goes on with their answer, which makes each
// request atomic where it is served; so nothing can happen that cannot happen in the paper's model,
// and everything that can does (docs/decisions/0043-processes-are-nodes.md). All engines, live
// hosts, files and pictures follow.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/process/office.h"
#include "foretell/model/process/run.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::model::process {

struct ProcessState {
  bool started = false;
  History history;
  // These follow from the history; for who runs no user code.
  Request asks = EndRequest();
  std::string at;  // For people.
  FORETELL_FIELDS(started, history, asks, at)
};

class Protocol {
 public:
  struct State {
    std::optional<ProcessState> process;
    std::optional<Office> mailboxes;
    FORETELL_FIELDS(process, mailboxes)
  };
  using Message =
      std::variant<SendRequest, RecvRequest, WaitRequest, TestRequest, Posted, Completed, Pending>;
  // A process begins.
  struct Start {};
  // A process that waits gets its answer: the index-th of its posts, or that there is none yet.
  struct Answer {
    uint32_t process = 0;
    uint32_t index = 0;
    FORETELL_FIELDS(process, index)
  };
  // A process gives up waiting.
  struct Expire {
    uint32_t process = 0;
    uint32_t millis = 0;
    FORETELL_FIELDS(process, millis)
  };
  using Action = std::variant<Start, Answer, Expire>;

  // A state and, once it was needed, the process that runs there.
  class Live {
   public:
    explicit Live(State state) : state_(std::move(state)) {}
    const State& state() const { return state_; }

   private:
    friend class Protocol;
    State state_;
    std::unique_ptr<ProcessRun> run_;
  };

  explicit Protocol(Program program) : program_(std::make_shared<Program>(std::move(program))) {}

  const Program& program() const { return *program_; }
  // The node of the mailboxes.
  NodeId office() const { return NodeId(program_->process_count()); }
  static Message Asking(const Request& request);

  uint32_t node_count() const { return program_->process_count() + 1; }
  Network network() const { return {NetworkKind::kStreams}; }
  State Initial(NodeId node) const;
  std::string Role(NodeId node) const;
  Live Wake(NodeId, State state, Life) const { return Live(std::move(state)); }
  std::vector<Action> Actions(NodeId node, const State& state) const;
  ActionTiming Timing(const Action& action) const;
  void OnAction(Live& live, const Action& action, Context<Message>& context) const;
  void OnMessage(Live& live, NodeId from, const Message& message, Context<Message>& context) const;
  // kBecame: what a process has just become, encoded; nothing if it has got anything since.
  static constexpr const char* kBecame = "became";
  std::optional<std::string> Ask(const State& state, const std::string& question) const;
  std::vector<TypedInvariant<State>> Invariants() const;
  bool Valid(const State& state) const;

 private:
  void Begin(Live& live, Context<Message>& context) const;
  void GoOn(Live& live, const Result& result, Context<Message>& context) const;
  void SendNext(Live& live, Context<Message>& context) const;

  std::shared_ptr<const Program> program_;
};

// True iff `service` is a program of processes: its states, messages and actions are those of
// Protocol, whatever views are in between.
bool IsProgram(const Service& service);

// The office's half of the protocol (serve.cc).
bool ValidOffice(const Office& office);
std::vector<Protocol::Action> AnswersOf(const Office& office);
void Serve(Office& office, NodeId from, const Protocol::Message& request,
           Context<Protocol::Message>& context);
void Give(Office& office, const Protocol::Action& answer, Context<Protocol::Message>& context);

// A program with parameters, as families edit them (model/typed/family.h):
//
//   struct Pair : ProgramOf<Pair> {
//     uint32_t rounds = 1;
//     Program Make() const;
//   };
//
// is a protocol like any other. What Make makes is made once, when a service is made of it.
template <class D>
class ProgramOf {
 public:
  using State = Protocol::State;
  using Message = Protocol::Message;
  using Action = Protocol::Action;
  using Live = Protocol::Live;

  ProgramOf() = default;
  // A copy may be edited: it makes its own.
  ProgramOf(const ProgramOf&) {}
  ProgramOf& operator=(const ProgramOf&) {
    protocol_.reset();
    return *this;
  }

  uint32_t node_count() const { return protocol().node_count(); }
  Network network() const { return protocol().network(); }
  State Initial(NodeId node) const { return protocol().Initial(node); }
  std::string Role(NodeId node) const { return protocol().Role(node); }
  Live Wake(NodeId node, State state, Life life) const {
    return protocol().Wake(node, std::move(state), life);
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return protocol().Actions(node, state);
  }
  ActionTiming Timing(const Action& action) const { return protocol().Timing(action); }
  void OnAction(Live& live, const Action& action, Context<Message>& context) const {
    protocol().OnAction(live, action, context);
  }
  void OnMessage(Live& live, NodeId from, const Message& message, Context<Message>& context) const {
    protocol().OnMessage(live, from, message, context);
  }
  std::optional<std::string> Ask(const State& state, const std::string& question) const {
    return protocol().Ask(state, question);
  }
  // The first thing that a service asks for.
  std::vector<TypedInvariant<State>> Invariants() const { return protocol().Invariants(); }
  bool Valid(const State& state) const { return protocol().Valid(state); }

 private:
  const Protocol& protocol() const {
    if (!protocol_) protocol_.emplace(static_cast<const D&>(*this).Make());
    return *protocol_;
  }
  mutable std::optional<Protocol> protocol_;
};

}  // namespace foretell::model::process
