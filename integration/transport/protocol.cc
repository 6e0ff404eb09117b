#include "foretell/integration/transport/protocol.h"

#include <algorithm>
#include <chrono>

#include "foretell/model/typed/shapes.h"

namespace foretell::integration::transport {
namespace {

using model::ActionTiming;
using model::NodeId;

constexpr std::chrono::milliseconds kRetransmitDelay{200};
constexpr std::chrono::milliseconds kGiveUpDelay{5'000};

// A connection and a sequence number of it: what a sender takes for acknowledged, or what a
// receiver has delivered.
struct Reach {
  bool sends = false;
  uint32_t connection = 0;
  uint32_t seq = 0;
  FORETELL_FIELDS(sends, connection, seq)
};

std::optional<Reach> ReachOf(NodeId node, const State& state) {
  if (node == kSender) {
    if (state.sender.acked == 0) return std::nullopt;
    return Reach{true, state.sender.connection, state.sender.acked};
  }
  if (!state.receiver.open || state.receiver.forgetful) return std::nullopt;
  return Reach{false, state.receiver.connection, state.receiver.next - 1};
}

}  // namespace

std::string Protocol::Role(NodeId node) const { return node == kSender ? "sender" : "receiver"; }

model::FaultBudget Protocol::faults(NodeId node) const {
  return {.crashes_max = node == kReceiver ? crashes_max : uint8_t{0}};
}

State Protocol::Initial(NodeId node) const {
  State state;
  if (node == kSender) {
    state.sender.batches = batches_max;
    state.sender.tries = give_ups_max + crashes_max;
    state.sender.give_ups = give_ups_max;
  }
  return state;
}

std::vector<Protocol::Action> Protocol::Actions(NodeId node, const State& state) const {
  const Sender& sender = state.sender;
  std::vector<Action> actions;
  if (node != kSender) return actions;
  if (sender.batches > 0 && AllAcked(sender)) actions.push_back(Submit{});
  if (bug != Bug::kNoRetry) {
    for (const uint32_t seq : sender.timers) actions.push_back(Retransmit{seq});
  }
  if (sender.give_ups > 0 && !sender.inflight.empty()) actions.push_back(GiveUp{});
  return actions;
}

ActionTiming Protocol::Timing(const Action& action) const {
  if (std::holds_alternative<Submit>(action)) return {.origin = ActionTiming::Origin::kCall};
  if (std::holds_alternative<GiveUp>(action)) {
    return {.origin = ActionTiming::Origin::kTimer, .delay = kGiveUpDelay, .adverse = true};
  }
  return {.origin = ActionTiming::Origin::kTimer, .delay = kRetransmitDelay};
}

std::vector<Protocol::Action> Protocol::Calls(NodeId node, const State& state) const {
  if (node == kSender && AllAcked(state.sender)) return {Submit{}};
  return {};
}

void Protocol::OnAction(State& state, const Action& action, Context& context) const {
  std::visit([&](const auto& alternative) { Run(state.sender, alternative, context); }, action);
}

void Protocol::OnMessage(State& state, NodeId, const Message& message, Context& context) const {
  if (const auto* data = std::get_if<Data>(&message)) {
    Handle(state.receiver, *data, context);
  } else if (const auto* ack = std::get_if<Ack>(&message)) {
    Handle(state.sender, *ack, context);
  } else {
    Handle(state.sender, std::get<Reset>(message), context);
  }
}

State Protocol::OnCrash(NodeId node, const State&) const {
  State state = Initial(node);
  state.receiver.forgetful = node == kReceiver;
  return state;
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return {
      model::Eventually("all-acked", "Everything that was submitted is acknowledged.",
                        [](const State& state) { return AllAcked(state.sender); }),
      model::Always("in-order", "The messages of a connection are delivered in order, once each.",
                    [](const State& state) { return state.receiver.in_order; }),
      model::Always(
          "timers", "There is a timer for each packet in flight, and for no other.",
          [](const State& state) { return state.sender.timers == state.sender.inflight; }),
      model::PairInvariant<State, Reach>(
          {.name = "acked-delivered",
           .text = "No receiver waits for what its sender has seen acknowledged."},
          ReachOf,
          [](const Reach& a, const Reach& b) {
            const Reach& sent = a.sends ? a : b;
            const Reach& got = a.sends ? b : a;
            return a.sends != b.sends && sent.connection == got.connection && sent.seq > got.seq;
          }),
  };
}

// Give-ups are rare: one is worth a look, and so is the next batch.
std::vector<Protocol::Imagined> Protocol::Imagine(const Cut& live) const {
  Cut cut = live;
  std::optional<State>& node = cut.nodes[kSender.index()];
  if (!node) return {{live, live, "nothing is submitted"}};
  node->sender.give_ups = std::min(node->sender.give_ups, 1u);
  Cut next = cut;
  next.nodes[kSender.index()]->sender.batches = 1;
  return {{cut, cut, "nothing is submitted; the sender may give up once"},
          {next, next, "node 0 submits a batch; the sender may give up once"}};
}

}  // namespace foretell::integration::transport
