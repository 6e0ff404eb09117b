#include "foretell/integration/examples/shipping.h"

#include <algorithm>
#include <string>

#include "foretell/model/typed/family.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kPrimary(0);
// A live log ends here: every checkpoint contains all of it.
constexpr size_t kLogMax = 1'000;
// Two appends are enough for one to get lost and the other to arrive.
constexpr uint32_t kImagined = 2;

constexpr const char* kLive = "live";

bool Differ(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return left != a.end() && right != b.end();
}

model::FamilyRows<ShippingProtocol> Rows() {
  return {
      .name = "shipping",
      .text = "log shipping over streams: a primary and two backups that take up after a break",
      .protocol = {.breaks_max = 1},
      .scenarios = {{"two-entries", "node 0 may append twice; each backup may lose a stream",
                     [](ShippingProtocol& p) { p.appends_max = kImagined; }},
                    {kLive,
                     "a running cluster, from empty logs on: node 0 appends when it is called"}},
      .bugs = {{"blind-append", "a backup appends whatever arrives and looks for no gap",
                [](ShippingProtocol& p) { p.blind = true; }}},
      .live = kLive,
      .version = FORETELL_SOURCE_VERSION,
  };
}

}  // namespace

model::FaultBudget ShippingProtocol::faults(NodeId node) const {
  return {.breaks_max = node == kPrimary ? uint8_t{0} : breaks_max};
}

ShippingProtocol::State ShippingProtocol::Initial(NodeId node) const {
  return {.appends_left = node == kPrimary ? appends_max : 0};
}

std::vector<ShippingProtocol::Action> ShippingProtocol::Actions(NodeId, const State& state) const {
  if (state.appends_left > 0) return {Append{}};
  return {};
}

std::vector<ShippingProtocol::Action> ShippingProtocol::Calls(NodeId node,
                                                              const State& state) const {
  if (node == kPrimary && state.log.size() < kLogMax) return {Append{}};
  return {};
}

void ShippingProtocol::OnAction(State& state, const Action&,
                                model::Context<Message>& context) const {
  if (state.appends_left > 0) --state.appends_left;
  const auto index = static_cast<uint32_t>(state.log.size());
  state.log.push_back(index + 1);
  for (uint32_t n = 1; n < node_count(); ++n) context.Send(NodeId(n), Entry{index, index + 1});
}

void ShippingProtocol::OnMessage(State& state, NodeId from, const Message& message,
                                 model::Context<Message>& context) const {
  if (const auto* resume = std::get_if<Resume>(&message)) {
    for (uint32_t i = resume->next; i < state.log.size(); ++i) {
      context.Send(from, Entry{i, state.log[i]});
    }
    return;
  }
  const auto next = static_cast<uint32_t>(state.log.size());
  const auto* entry = std::get_if<Entry>(&message);
  if (entry != nullptr && (blind || entry->index == next)) {
    state.log.push_back(entry->value);
  } else if (entry == nullptr || entry->index > next) {
    context.Send(from, Resume{next});
  }
}

ShippingProtocol::State ShippingProtocol::OnCrash(NodeId, const State& state) const {
  return {.log = state.log};
}

void ShippingProtocol::OnRestart(State& state, model::Context<Message>& context) const {
  if (context.self() != kPrimary) {
    context.Send(kPrimary, Resume{static_cast<uint32_t>(state.log.size())});
  }
}

void ShippingProtocol::OnBreak(State& state, NodeId peer, model::Context<Message>& context) const {
  if (context.self() == kPrimary) {
    context.Send(peer, Ask{});  // What was lost may have been a Resume.
  } else if (peer == kPrimary) {
    context.Send(kPrimary, Resume{static_cast<uint32_t>(state.log.size())});
  }
}

std::vector<model::TypedInvariant<ShippingProtocol::State>> ShippingProtocol::Invariants() const {
  const auto log = [](NodeId, const State& state) -> std::optional<std::vector<uint32_t>> {
    if (state.log.empty()) return std::nullopt;
    return state.log;
  };
  return {model::PairInvariant<State, std::vector<uint32_t>>(
      {.name = "agreement",
       .text = "Of the logs of two nodes, one is the beginning of the other.",
       .stable = true},
      log, Differ)};
}

std::vector<ShippingProtocol::Imagined> ShippingProtocol::Imagine(const Cut& live) const {
  Cut cut = live;
  if (cut.nodes[kPrimary.index()]) cut.nodes[kPrimary.index()]->appends_left = kImagined;
  return {{live, live, "nobody appends; streams may break"},
          {cut, cut, "node 0 appends twice; streams may break"}};
}

std::unique_ptr<model::ServiceFamily> MakeShippingFamily() {
  return std::make_unique<model::Family<ShippingProtocol>>(Rows());
}

}  // namespace foretell::integration::examples
