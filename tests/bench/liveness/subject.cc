#include "foretell/tests/bench/liveness/subject.h"

namespace foretell::bench {

using model::NodeId;
using search::GlobalState;

Subject::Subject(const agent::Selection& selection, const std::string& property, uint64_t seed)
    : service_(*selection.system.service),
      property_(*search::PropertyView::Find(service_, property)),
      view_(service_, property_),
      table_(view_),
      invariants_(table_),
      moves_(table_, invariants_, model::CountOn::kCalls),
      space_(table_),
      oracle_(invariants_, moves_, {}, seed),
      walker_(space_, moves_, {}, seed),
      start_(space_.Start(selection.system.start)) {}

bool Subject::AnyStep(GlobalState& state) {
  std::vector<GlobalState> next;
  moves_.AnyStep(space_, state, /*all=*/true,
                 [&](NodeId, model::EventId, const model::Step&, const GlobalState& to) {
                   next.push_back(to);
                   return false;
                 });
  AddLosses(state, next);
  if (next.empty()) return false;
  state = next[walker_.Below(next.size())];
  return true;
}

void Subject::AddLosses(const GlobalState& state, std::vector<GlobalState>& next) {
  if (service_.network().kind != model::NetworkKind::kDatagrams) return;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const auto content = space_.mailboxes().Content(NodeId(n), state.mailbox(NodeId(n)));
    const std::vector<model::MessageId> messages(content.begin(), content.end());
    for (size_t lost = 0; lost < messages.size(); ++lost) {
      std::vector<model::MessageId> kept = messages;
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(lost));
      GlobalState& less = next.emplace_back(state);
      less.set_mailbox(NodeId(n), space_.InternMailbox(NodeId(n), std::move(kept)));
    }
  }
}

}  // namespace foretell::bench
