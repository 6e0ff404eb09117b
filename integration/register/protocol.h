#pragma once

// A regular register in the style of ABD (Attiya, Bar-Noy, Dolev), as in Table I of the DBSS paper:
// one writer and one reader over base objects, any majority of which is enough. Each write has a
// timestamp; what is written is the application's own.
//
// Which write was over when a read began is a matter of real time between writer and reader, which
// no state of two separate nodes knows. Therefore both are roles of one node, 0; the base objects
// are the others. Live, node 0 is what applications call, and asks again what was not answered.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::registers {

inline constexpr model::NodeId kClient(0);

struct Writer {
  uint32_t ts = 0;        // Of the write that was begun last.
  std::string value;      // That it writes.
  uint32_t finished = 0;  // The last write that a majority has acknowledged.
  std::set<model::NodeId> got;
  uint32_t left = 0;  // What the test driver may still begin.
  FORETELL_FIELDS(ts, value, finished, got, left)
  bool writes() const { return ts != finished; }
};

struct Reader {
  uint32_t number = 0;  // Of the read that was begun last.
  bool reads = false;   // It is not over.
  uint32_t low = 0;     // The writes that it must not miss.
  uint32_t best = 0;    // The highest timestamp heard of; once the read is over, what it returned.
  std::string value;    // With that timestamp.
  std::set<model::NodeId> got;
  bool irregular = false;  // Some read has missed a write.
  uint32_t left = 0;       // What the test driver may still begin.
  FORETELL_FIELDS(number, reads, low, best, value, got, irregular, left)
};

// Client to object, and back.
struct Write {
  uint32_t ts = 0;
  std::string value;
  FORETELL_FIELDS(ts, value)
};
struct Ack {
  uint32_t ts = 0;
  FORETELL_FIELDS(ts)
};
struct Read {
  uint32_t number = 0;
  FORETELL_FIELDS(number)
};
struct Repl {
  uint32_t number = 0;
  uint32_t ts = 0;
  std::string value;
  FORETELL_FIELDS(number, ts, value)
};
using Message = std::variant<Write, Ack, Read, Repl>;

// Node 0 writes and reads, the others are base objects.
struct State {
  Writer writer;
  Reader reader;
  uint32_t ts = 0;    // A base object: the highest that was written to it, ...
  std::string value;  // ... and what that was.
  // The message that came last, for people; what tells naive search from decomposed (DBSS).
  model::Auxiliary<std::optional<Message>> last;
  FORETELL_FIELDS(writer, reader, ts, value, last)
};

struct BeginWrite {
  std::string value;
  FORETELL_FIELDS(value)
};
struct BeginRead {};
// Live only: a datagram of what was begun may be lost.
struct AskAgain {};

struct Protocol {
  using State = registers::State;
  using Message = registers::Message;
  using Action = std::variant<BeginWrite, BeginRead, AskAgain>;
  using Context = model::Context<Message>;

  uint32_t objects = 3;
  uint32_t writes_max = 2;
  uint32_t reads_max = 1;
  bool live = false;  // Calls come from an application, and what is lost is sent again.
  // The bugs: a read must not miss writes that end during it either, which is more than a regular
  // register promises; a reader that is content with one answer.
  bool wrong_regularity = false;
  bool hasty_reader = false;

  uint32_t node_count() const { return objects + 1; }
  std::string Role(model::NodeId node) const { return node == kClient ? "client" : "object"; }
  std::vector<std::vector<model::NodeId>> Interchangeable() const {
    return {model::NodesFrom(kClient.value() + 1, node_count())};
  }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  // driver.cc
  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;
  model::ActionTiming Timing(const Action& action) const;
  std::vector<Action> Calls(model::NodeId node, const State& state) const;
  std::optional<Action> ParseCall(const std::string& text) const;
  std::optional<std::string> Ask(const State& state, const std::string& question) const;
  std::vector<Imagined> Imagine(const Cut& cut) const;

 private:
  bool Enough(const std::set<model::NodeId>& got) const { return got.size() > objects / 2; }
  void ToObjects(const Message& message, Context& context) const;
  void Run(State& state, const BeginWrite& action, Context& context) const;
  void Run(State& state, const BeginRead& action, Context& context) const;
  void Run(State& state, const AskAgain& action, Context& context) const;
  void Handle(State& state, model::NodeId from, const Write& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Ack& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Read& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Repl& message, Context& context) const;
};

}  // namespace foretell::integration::registers
