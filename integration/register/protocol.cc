#include "foretell/integration/register/protocol.h"

#include <algorithm>

#include "foretell/model/typed/shapes.h"

namespace foretell::integration::registers {

using model::NodeId;

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  if (node != kClient) return actions;
  const Writer& writer = state.writer;
  const Reader& reader = state.reader;
  if (writer.ts == writer.finished && writer.ts < writes_max) actions.emplace_back(BeginWrite{});
  if (!reader.reads && reader.number < reads_max) actions.emplace_back(BeginRead{});
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

void Protocol::Run(State& state, const BeginWrite&, Context& context) const {
  ToObjects(Write{++state.writer.ts}, context);
}

void Protocol::Run(State& state, const BeginRead&, Context& context) const {
  Reader& reader = state.reader;
  reader = {.number = reader.number + 1,
            .reads = true,
            .low = state.writer.finished,
            .irregular = reader.irregular};
  ToObjects(Read{reader.number}, context);
}

void Protocol::Handle(State& state, NodeId from, const Write& message, Context& context) const {
  state.ts = std::max(state.ts, message.ts);
  context.Send(from, Ack{message.ts});
}

void Protocol::Handle(State& state, NodeId from, const Ack& message, Context&) const {
  Writer& writer = state.writer;
  if (message.ts != writer.ts || writer.ts == writer.finished) return;
  writer.got.insert(from);
  if (!Enough(writer.got)) return;
  writer.got.clear();
  writer.finished = writer.ts;
}

void Protocol::Handle(State& state, NodeId from, const Read& message, Context& context) const {
  context.Send(from, Repl{message.number, state.ts});
}

void Protocol::Handle(State& state, NodeId from, const Repl& message, Context&) const {
  Reader& reader = state.reader;
  if (!reader.reads || message.number != reader.number) return;
  reader.got.insert(from);
  reader.best = std::max(reader.best, message.ts);
  if (!Enough(reader.got) && !hasty_reader) return;
  reader.got.clear();
  reader.reads = false;
  if (wrong_regularity) reader.low = state.writer.finished;
  reader.irregular = reader.irregular || reader.best < reader.low;
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
