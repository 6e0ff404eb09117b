#include "foretell/search/cover/cover_loop.h"

namespace foretell::search {

using model::MessageId;

void LoopScan::Scan(uint32_t above, const CoverNode& below, std::span<const Lift> lifts) {
  ScanNode(below, lifts);
  for (uint32_t at = below.parent; at != above; at = tree_[at].parent) {
    ScanNode(tree_[at], tree_.LiftsOf(at));
  }
}

void LoopScan::ScanNode(const CoverNode& node, std::span<const Lift> lifts) {
  for (const Lift& lift : lifts) {
    const CoverLoop& loop = tree_.loop(lift.loop);
    steps_ += loop.steps;
    taken_.insert(loop.takes.begin(), loop.takes.end());
    for (uint32_t n = 0; n < loop.states.size(); ++n) {
      if (loop.states[n] != CoverLoop::kAny) moved_.insert(model::NodeId(n));
    }
  }
  ++steps_;
  moved_.insert(node.node);
  if (node.event.is_deliver()) taken_.insert(node.event.message());
  for (const model::Batch& batch : table_.Batches(node.step.sends)) {
    const auto messages = table_.Messages(batch.list);
    made_.insert(messages.begin(), messages.end());
  }
}

CoverLoop LoopScan::Loop(Bags& bags, uint32_t above, std::span<const uint32_t> states,
                         BagId gains) const {
  CoverLoop loop;
  loop.above = above;
  loop.steps = steps_;
  loop.takes.assign(taken_.begin(), taken_.end());
  loop.needs = bags.Only(tree_[above].bag, loop.takes);
  std::vector<MessageId> more;
  for (const MessageId message : made_) {
    if (!taken_.contains(message)) more.push_back(message);
  }
  loop.gains = bags.Join(gains, bags.AnyNumber(more));
  loop.states.assign(states.size(), CoverLoop::kAny);
  for (const model::NodeId node : moved_) loop.states[node.index()] = states[node.index()];
  return loop;
}

}  // namespace foretell::search
