#include "agent/space_time.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/bystanders.h"
#include "agent/printable.h"
#include "agent/state_changes.h"
#include "model/check.h"
#include "model/plain_system.h"

namespace foretell::agent {
namespace {

using model::EventKind;
using model::NodeId;

// A message in flight that remembers where it came from. Mirrors what the plain semantics does
// with the network, so that a delivery finds the very send that made it possible.
struct Flight {
  model::Message message;
  std::optional<size_t> moment;  // Nothing: it was in flight at the start.
  size_t send = 0;               // Which of the moment's sends.
};

class FlightLog {
 public:
  FlightLog(const model::Service& service, const model::SystemCut& start)
      : streams_(service.network().kind == model::NetworkKind::kStreams),
        copies_(streams_ ? 1 : 1 + service.network().duplicates_max) {
    for (const model::Message& message : start.in_flight) {
      flights_.push_back({message, std::nullopt, 0});
    }
  }

  // Moves the log over `step`, linking the moment to the moment that sent its message.
  void Follow(const model::PathStep& step, const std::vector<model::Message>& sent,
              std::vector<Moment>& moments) {
    const size_t now = moments.size() - 1;
    if (step.event.kind == EventKind::kDeliver) {
      const model::Message wanted{step.event.peer, step.node, step.event.body};
      const auto found = std::find_if(flights_.begin(), flights_.end(),
                                      [&](const Flight& f) { return f.message == wanted; });
      FORETELL_CHECK(found != flights_.end());
      moments[now].sent_at = found->moment;
      if (found->moment) {
        std::optional<size_t>& arrives = moments[*found->moment].sends[found->send].arrives;
        if (!arrives) arrives = now;
      }
      flights_.erase(found);
    }
    if (streams_) {
      std::erase_if(flights_, [&](const Flight& f) { return IsCut(step, f.message); });
    }
    for (size_t i = 0; i < sent.size(); ++i) {
      flights_.insert(flights_.end(), copies_, {sent[i], now, i});
    }
  }

 private:
  static bool IsCut(const model::PathStep& step, const model::Message& message) {
    if (message.to != step.node) return false;
    return step.event.kind == EventKind::kRestart ||
           (step.event.kind == EventKind::kBreak && message.from == step.event.peer);
  }

  bool streams_;
  size_t copies_;
  std::vector<Flight> flights_;
};

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
  for (const model::Message& message : replayed.sent) {
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
  FlightLog log(service, start);
  for (size_t i = 0; i < violation.path.size(); ++i) {
    const model::SystemCut& before = i == 0 ? start : (*replayed)[i - 1].after;
    picture.moments.push_back(MomentOf(service, violation.path[i], before, (*replayed)[i]));
    log.Follow(violation.path[i], (*replayed)[i].sent, picture.moments);
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
