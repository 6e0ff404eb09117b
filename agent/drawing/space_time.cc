#include "foretell/agent/drawing/space_time.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/drawing/bystanders.h"
#include "foretell/agent/drawing/matches.h"
#include "foretell/agent/drawing/state_changes.h"
#include "foretell/model/liveness/liveness.h"
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

// The name of a kind; empty if there are none.
std::string NameOf(const std::vector<std::string>& kinds, size_t kind) {
  return kind < kinds.size() ? Printable(kinds[kind], true) : "";
}

std::string MessageName(const model::Service& service, const std::string& body) {
  const std::vector<std::string> kinds = service.message_kinds();
  return kinds.empty() ? "" : NameOf(kinds, service.MessageKind(body));
}

std::string ActionName(const model::Service& service, const std::string& body) {
  const std::vector<std::string> kinds = service.action_kinds();
  return kinds.empty() ? "" : NameOf(kinds, service.ActionKind(body));
}

std::vector<model::Field> Printables(std::vector<model::Field> fields) {
  for (model::Field& field : fields) {
    field = {Printable(field.name, true), Printable(field.value, true)};
  }
  return fields;
}

void TellEvent(const model::Service& service, const model::Event& event, Moment& moment) {
  if (event.kind == EventKind::kDeliver) {
    moment.name = MessageName(service, event.body);
    moment.fields = Printables(service.MessageFields(event.body));
  }
  if (event.kind == EventKind::kAction) {
    moment.name = ActionName(service, event.body);
    moment.fields = Printables(service.ActionFields(event.body));
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
  TellEvent(service, step.event, moment);
  for (const std::string& label : replayed.effect.choice_labels) {
    moment.choice_labels.push_back(Printable(label, true));
  }
  for (const model::Message& message : replayed.effect.sent) {
    moment.sends.push_back(
        {message.to.value(), Printable(service.RenderMessage(message.body), true), std::nullopt,
         MessageName(service, message.body), Printables(service.MessageFields(message.body))});
  }
  return moment;
}

Lane LaneOf(const model::Service& service, uint32_t node, const model::NodeState& start,
            const model::NodeState& end) {
  const model::NodeState initial{.body = service.InitialState(NodeId(node))};
  const std::string role = Printable(service.Role(NodeId(node)), true);
  return {
      .node = node,
      .name = absl::StrCat("node ", node, role.empty() ? "" : " (", role, role.empty() ? "" : ")"),
      .status = start.status,
      .at_start = StateChanges(service, NodeId(node), initial, start),
      .at_end = StateChanges(service, NodeId(node), initial, end),
      .role = role};
}

// A cycle ends where it began, as far as nodes go: of what is in flight there may be more.
absl::Status CheckCycle(const model::SystemCut& start,
                        const std::vector<model::ReplayedStep>& replayed, size_t cycle_from) {
  if (cycle_from == 0) return absl::OkStatus();
  const bool known = cycle_from <= replayed.size();
  if (known && replayed.back().after.nodes ==
                   (cycle_from == 1 ? start : replayed[cycle_from - 2].after).nodes) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "the steps from ", cycle_from, " to ", replayed.size(), " do not lead back to their start"));
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
  if (violation.death != nullptr) picture.cycle_from = violation.death->cycle_from;
  if (absl::Status closed = CheckCycle(start, *replayed, picture.cycle_from); !closed.ok()) {
    return closed;
  }
  for (size_t i = 0; i < violation.path.size(); ++i) {
    const model::SystemCut& before = i == 0 ? start : (*replayed)[i - 1].after;
    picture.moments.push_back(MomentOf(service, violation.path[i], before, (*replayed)[i]));
    picture.moments.back().step = i + 1;
    LinkToSend((*replayed)[i].effect.sent_by, picture.moments);
  }
  const model::SystemCut& end = replayed->empty() ? start : replayed->back().after;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    picture.lanes.push_back(LaneOf(service, n, start.nodes[n], end.nodes[n]));
  }
  for (const uint32_t n : model::PlainSystem(service, end).Culprits(violation.invariant)) {
    picture.lanes[n].breaks = true;
  }
  picture.folded = FoldMatches(service, start, violation.path, *replayed, picture);
  DropBystanders(picture);
  return picture;
}

}  // namespace foretell::agent
