#include "integration/examples/accumulator.h"

#include "integration/examples/single_family.h"
#include "model/typed_service.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kClient(0);
constexpr NodeId kPrimary(1);
constexpr NodeId kSecondary(2);

}  // namespace

std::vector<AccumulatorProtocol::Action> AccumulatorProtocol::Actions(NodeId node,
                                                                      const State& state) const {
  if (node == kClient && !state.started) return {Start{}};
  if (node != kClient && !state.checkpoint) return {Checkpoint{}};
  return {};
}

void AccumulatorProtocol::OnAction(State& state, const Action& action,
                                   model::Context<Message>& context) const {
  if (std::holds_alternative<Checkpoint>(action)) {
    state.checkpoint = state.sum;
    return;
  }
  state.started = true;
  const uint32_t second = context.Choose(2) == 0 ? 2 : 3;
  context.Send(kPrimary, {1});
  context.Send(kPrimary, {second});
}

void AccumulatorProtocol::OnMessage(State& state, NodeId, const Message& message,
                                    model::Context<Message>& context) const {
  state.sum += message.n;
  if (context.self() == kPrimary) context.Send(kSecondary, message);
}

std::vector<model::TypedInvariant<AccumulatorProtocol::State>> AccumulatorProtocol::Invariants()
    const {
  const auto sum = [](NodeId node, const State& state) -> std::optional<uint32_t> {
    if (node == kClient) return std::nullopt;
    return state.sum;
  };
  return {model::PairInvariant<State, uint32_t>(
              {.name = "secondary-follows", .text = "The secondary is never ahead of the primary."},
              sum, [](uint32_t primary, uint32_t secondary) { return secondary > primary; }),
          model::SystemInvariant<State, uint32_t>(
              {.name = "replicates",
               .text = "Eventually both servers have the same sum, and it is not 0.",
               .eventually = true},
              sum, [](const std::vector<std::optional<uint32_t>>& sums) {
                return !sums[1] || *sums[1] == 0 || sums[1] != sums[2];
              })};
}

std::unique_ptr<model::ServiceFamily> MakeAccumulatorFamily() {
  return MakeSingleFamily(AccumulatorProtocol{}, "accumulator",
                          "a client, a primary and a secondary sum numbers (DEMETER section 2)",
                          {"figure-1", "the client may send 1,2 or 1,3"});
}

}  // namespace foretell::integration::examples
