#include "foretell/integration/register/protocol.h"

#include <algorithm>

#include "foretell/model/typed/shapes.h"

namespace foretell::integration::registers {

using model::NodeId;

State Protocol::Initial(NodeId node) const {
  State state;
  if (node != kClient) return state;
  state.writer.left = writes_max;
  state.reader.left = reads_max;
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  if (node != kClient) return actions;
  const Writer& writer = state.writer;
  const Reader& reader = state.reader;
  if (!writer.writes() && writer.left > 0) {
    actions.emplace_back(BeginWrite{"w" + std::to_string(writer.ts + 1)});
  }
  if (!reader.reads && reader.left > 0) actions.emplace_back(BeginRead{});
  if (live && (writer.writes() || reader.reads)) actions.emplace_back(AskAgain{});
  return actions;
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  std::visit([&](const auto& a) { Run(state, a, context); }, action);
}

void Protocol::OnMessage(State& state, NodeId from, const Message& message,
                         Context& context) const {
  state.last.Update([](std::optional<Message>& last, const Message& m) { last = m; }, message);
  std::visit([&](const auto& m) { Handle(state, from, m, context); }, message);
}

void Protocol::ToObjects(const Message& message, Context& context) const {
  for (uint32_t n = 1; n < node_count(); ++n) context.Send(NodeId(n), message);
}

void Protocol::Run(State& state, const BeginWrite& action, Context& context) const {
  Writer& writer = state.writer;
  if (writer.left > 0) --writer.left;
  writer.value = action.value;
  ToObjects(Write{++writer.ts, writer.value}, context);
}

void Protocol::Run(State& state, const BeginRead&, Context& context) const {
  Reader& reader = state.reader;
  if (reader.left > 0) --reader.left;
  ++reader.number;
  reader.reads = true;
  reader.low = state.writer.finished;
  reader.best = 0;
  reader.value.clear();
  ToObjects(Read{reader.number}, context);
}

void Protocol::Run(State& state, const AskAgain&, Context& context) const {
  const auto ask = [&](const std::set<NodeId>& got, const Message& message) {
    for (uint32_t n = 1; n < node_count(); ++n) {
      if (!got.contains(NodeId(n))) context.Send(NodeId(n), message);
    }
  };
  const Writer& writer = state.writer;
  if (writer.writes()) ask(writer.got, Write{writer.ts, writer.value});
  if (state.reader.reads) ask(state.reader.got, Read{state.reader.number});
  context.RestartTimer(Action(AskAgain{}));
}

void Protocol::Handle(State& state, NodeId from, const Write& message, Context& context) const {
  if (message.ts > state.ts) {
    state.ts = message.ts;
    state.value = message.value;
  }
  context.Send(from, Ack{message.ts});
}

void Protocol::Handle(State& state, NodeId from, const Ack& message, Context&) const {
  Writer& writer = state.writer;
  if (message.ts != writer.ts || !writer.writes()) return;
  writer.got.insert(from);
  if (!Enough(writer.got)) return;
  writer.got.clear();
  writer.finished = writer.ts;
}

void Protocol::Handle(State& state, NodeId from, const Read& message, Context& context) const {
  context.Send(from, Repl{message.number, state.ts, state.value});
}

void Protocol::Handle(State& state, NodeId from, const Repl& message, Context&) const {
  Reader& reader = state.reader;
  if (!reader.reads || message.number != reader.number) return;
  reader.got.insert(from);
  if (message.ts > reader.best) {
    reader.best = message.ts;
    reader.value = message.value;
  }
  if (!Enough(reader.got) && !hasty_reader) return;
  reader.got.clear();
  reader.reads = false;
  if (wrong_regularity) reader.low = state.writer.finished;
  reader.irregular = reader.irregular || reader.best < reader.low;
}

// Live, everything is on disk: what an object acknowledged, and what the client needs to go on,
// since no timestamp may be used twice. The table knows of no faults, and of no disk.
State Protocol::OnCrash(NodeId node, const State& state) const {
  return live ? state : Initial(node);
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return {model::Stable(model::Never(
              "regularity",
              wrong_regularity ? "A read returns no less than what was written when it ended."
                               : "A read returns no less than what was written when it began.",
              [](const State& s) { return s.reader.irregular; })),
          model::Reaches("read", "A read returns something that was written.",
                         [](const State& s) { return !s.reader.reads && s.reader.best > 0; })};
}

}  // namespace foretell::integration::registers
