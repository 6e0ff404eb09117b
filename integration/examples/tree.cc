#include "foretell/integration/examples/tree.h"

#include "foretell/model/typed/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kRoot(0);
constexpr NodeId kTarget(4);

// The figures are drawings; this shape has their count. Node 1 is a leaf, so its delivery can come
// anywhere beside the three that lead to node 4: 9 states and 11 transitions, hence 12 states if
// each arrow is drawn into a state of its own.
std::span<const NodeId> ChildrenOf(NodeId node) {
  static constexpr NodeId kOfRoot[] = {NodeId(1), NodeId(2)};
  static constexpr NodeId kOfTwo[] = {NodeId(3)};
  static constexpr NodeId kOfThree[] = {kTarget};
  switch (node.value()) {
    case 0: return kOfRoot;
    case 2: return kOfTwo;
    case 3: return kOfThree;
    default: return {};
  }
}

void ForwardToChildren(model::Context<TreeProtocol::Message>& context) {
  for (const NodeId child : ChildrenOf(context.self())) context.Send(child, {});
}

}  // namespace

const char* EnumName(Mark mark) {
  switch (mark) {
    case Mark::kNone: return "-";
    case Mark::kSent: return "s";
    case Mark::kReceived: return "r";
  }
  return "?";  // Decoded from bytes of somebody else.
}

std::vector<TreeProtocol::Action> TreeProtocol::Actions(NodeId node, const State& state) const {
  if (node == kRoot && state.mark == Mark::kNone) return {Initiate{}};
  return {};
}

void TreeProtocol::OnAction(State& state, const Action&, model::Context<Message>& context) const {
  state.mark = Mark::kSent;
  ForwardToChildren(context);
}

void TreeProtocol::OnMessage(State& state, NodeId, const Message&,
                             model::Context<Message>& context) const {
  if (context.self() == kTarget) state.mark = Mark::kReceived;
  ForwardToChildren(context);
}

// Holds, but "----r", which LMC combines on its way, breaks it: a service that checks soundness
// verification.
std::vector<model::TypedInvariant<TreeProtocol::State>> TreeProtocol::Invariants() const {
  const auto project = [](NodeId node, const State& state) -> std::optional<Mark> {
    const bool waits = node == kRoot && state.mark == Mark::kNone;
    if (waits || state.mark == Mark::kReceived) return state.mark;
    return std::nullopt;
  };
  return {model::PairInvariant<State, Mark>(
      {.name = "sent-before-received", .text = "Node 4 receives only what node 0 has sent."},
      project, [](Mark a, Mark b) { return a == Mark::kNone && b == Mark::kReceived; })};
}

std::unique_ptr<model::ServiceFamily> MakeTreeFamily() {
  return std::make_unique<model::Family<TreeProtocol>>(model::FamilyRows<TreeProtocol>{
      .name = "tree",
      .text = "a message travels down a tree of five nodes (LMC section 2)",
      .scenarios = {{"figure-2", "node 0 may send its message"}},
      .version = FORETELL_SOURCE_VERSION,
  });
}

}  // namespace foretell::integration::examples
