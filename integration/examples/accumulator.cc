#include "foretell/integration/examples/accumulator.h"

#include <string>
#include <utility>

#include "foretell/model/typed/family.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kClient(0);
constexpr NodeId kPrimary(1);

struct Sizes {
  const char* name;
  const char* text;
  uint32_t numbers;
  uint32_t servers;
};
constexpr Sizes kSizes[] = {
    {"numbers-2-servers-2", "the client sends 1,2 to two servers", 2, 2},
    {"numbers-3-servers-3", "the client sends 1,2,3 to three servers", 3, 3},
    {"numbers-4-servers-4", "the client sends 1,2,3,4 to four servers", 4, 4},
};

model::FamilyRows<AccumulatorProtocol> Rows() {
  model::FamilyRows<AccumulatorProtocol> rows{
      .name = "accumulator",
      .text = "a client, a primary and secondaries sum numbers (DEMETER section 2)",
      .scenarios = {{"figure-1", "the client may send 1,2 or 1,3",
                     [](AccumulatorProtocol& p) { p.last_varies = true; }}},
      .version = FORETELL_SOURCE_VERSION,
  };
  for (const Sizes& sizes : kSizes) {
    rows.scenarios.push_back({sizes.name, sizes.text, [&sizes](AccumulatorProtocol& p) {
                                p.numbers = sizes.numbers;
                                p.servers = sizes.servers;
                              }});
  }
  return rows;
}

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
  const uint32_t more = last_varies ? context.Choose(2) : 0;
  for (uint32_t n = 1; n < numbers; ++n) context.Send(kPrimary, {n});
  context.Send(kPrimary, {numbers + more});
}

void AccumulatorProtocol::OnMessage(State& state, NodeId, const Message& message,
                                    model::Context<Message>& context) const {
  state.sum += message.n;
  if (context.self() != kPrimary) return;
  for (uint32_t n = kPrimary.value() + 1; n < node_count(); ++n) context.Send(NodeId(n), message);
}

std::vector<model::TypedInvariant<AccumulatorProtocol::State>> AccumulatorProtocol::Invariants()
    const {
  using Sum = std::pair<bool, uint32_t>;  // Of the primary or not.
  const auto sum = [](NodeId node, const State& state) -> std::optional<Sum> {
    if (node == kClient) return std::nullopt;
    return Sum(node == kPrimary, state.sum);
  };
  return {
      model::PairInvariant<State, Sum>(
          {.name = "secondary-follows", .text = "No secondary is ever ahead of the primary."}, sum,
          [](const Sum& left, const Sum& right) {
            return left.first && right.second > left.second;
          }),
      model::SystemInvariant<State, Sum>(
          {.name = "replicates",
           .text = "Eventually all servers have the same sum, and it is not 0.",
           .eventually = true},
          sum, [](const std::vector<std::optional<Sum>>& sums) {
            for (size_t n = kPrimary.index(); n < sums.size(); ++n) {
              if (!sums[n] || sums[n]->second == 0) return true;
              if (sums[n]->second != sums[kPrimary.index()]->second) return true;
            }
            return false;
          })};
}

model::System MakeAccumulatorSystem(uint32_t numbers, uint32_t servers) {
  model::System system;
  system.service = model::MakeService(AccumulatorProtocol{.numbers = numbers, .servers = servers});
  system.start = model::InitialCut(*system.service);
  return system;
}

std::unique_ptr<model::ServiceFamily> MakeAccumulatorFamily() {
  return std::make_unique<model::Family<AccumulatorProtocol>>(Rows());
}

}  // namespace foretell::integration::examples
