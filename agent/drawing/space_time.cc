#include "foretell/agent/drawing/space_time.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/drawing/bystanders.h"
#include "foretell/agent/drawing/state_changes.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {
namespace {

using model::EventKind;
using model::NodeId;

// Links the last moment to the one that sent its message, if that is on the path.
void LinkToSend(const std::optional<model::SentBy>& sent_by, std::vector<Moment>& moments) {
  if (!sent_by) return;
  const size_t now = moments.size() - 1;
  moments[now].sent_at = sent_by->step;
  std::optional<size_t>& arrives = moments[sent_by->step].sends[sent_by->index].arrives;
  if (!arrives) arrives = now;
}

std::string LabelOf(const model::Service& service, const model::Event& event) {
  switch (event.kind) {
    case EventKind::kDeliver: return Printable(service.RenderMessage(event.body), true);
    case EventKind::kAction: return Printable(service.RenderAction(event.body), true);
    default: return model::KindName(event.kind);
  }
}

Moment MomentOf(const model::Service& service, const model::PathStep& step,
                const model::SystemCut& before, const model::ReplayedStep& replayed) {
  Moment moment{.kind = step.event.kind,
                .lane = step.node.value(),
                .peer = step.event.peer.value(),
                .peer_node = step.event.peer.value(),
                .label = LabelOf(service, step.event),
                .choices = step.choices};
  const model::NodeState& after = replayed.after.nodes[step.node.index()];
  moment.changes = StateChanges(service, step.node, before.nodes[step.node.index()], after);
  moment.status = after.status;
  for (const model::Message& message : replayed.effect.sent) {
    moment.sends.push_back(
        {message.to.value(), Printable(service.RenderMessage(message.body), true), std::nullopt});
  }
  return moment;
}

}  // namespace

absl::StatusOr<SpaceTime> BuildSpaceTime(const model::Service& service,
                                         const model::SystemCut& start,
                                         const model::Violation& violation,
                                         const std::string& title) {
  const auto replayed = model::Replay(service, start, violation.path);
  if (!replayed.ok()) return replayed.status();
  SpaceTime picture{.title = Printable(title, true),
                    .invariant = Printable(violation.invariant, true),
                    .why = Printable(violation.text, true),
                    .in_flight_at_start = start.in_flight.size()};
  for (size_t i = 0; i < violation.path.size(); ++i) {
    const model::SystemCut& before = i == 0 ? start : (*replayed)[i - 1].after;
    picture.moments.push_back(MomentOf(service, violation.path[i], before, (*replayed)[i]));
    LinkToSend((*replayed)[i].effect.sent_by, picture.moments);
  }
  const model::SystemCut& end = replayed->empty() ? start : replayed->back().after;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    const model::NodeState initial{.body = service.InitialState(NodeId(n))};
    picture.lanes.push_back({n, absl::StrCat("node ", n), start.nodes[n].status,
                             StateChanges(service, NodeId(n), initial, start.nodes[n]),
                             StateChanges(service, NodeId(n), initial, end.nodes[n])});
  }
  for (const uint32_t n : model::PlainSystem(service, end).Culprits(violation.invariant)) {
    picture.lanes[n].breaks = true;
  }
  DropBystanders(picture);
  return picture;
}

}  // namespace foretell::agent
