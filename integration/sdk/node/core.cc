#include "foretell/integration/sdk/node/core.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::integration::sdk {

using model::Event;
using model::EventKind;
using model::NodeId;
using snapshot::Mode;
using snapshot::Receipt;
using snapshot::Stamp;

Core::Core(const model::Service& service, const std::string& state, Options options, Stats& stats)
    : service_(service),
      options_(std::move(options)),
      streams_(service.network().kind == model::NetworkKind::kStreams),
      stats_(stats),
      counter_(service),
      live_(service.MakeLive(options_.node, state)),
      random_(Mix(options_.seed) ^ options_.node.value()),
      draw_([this](uint32_t k) { return static_cast<uint32_t>(random_.Next() % k); }),
      safety_(service, options_.node),
      incoming_(service.node_count()) {
  FORETELL_CHECK(options_.now != nullptr);
  if (!options_.checkpoints) return;
  checkpointer_ = std::make_unique<snapshot::Checkpointer>(
      snapshot::Checkpointer::Options{.node = options_.node,
                                      .network = service.network().kind,
                                      .life = options_.life,
                                      .number = options_.number},
      [this] {
        model::NodeState captured{.body = live_->EncodeInto(checkpointer_->TakeSpare())};
        ++stats_.checkpoints;
        stats_.checkpoint_bytes += captured.body.size();
        return captured;
      });
}

template <class Take>
auto Core::Measured(Take take) {
  const Time begin = options_.now();
  const uint64_t taken = stats_.checkpoints;
  auto result = take();
  if (stats_.checkpoints != taken) {
    stats_.checkpoint_nanos +=
        static_cast<uint64_t>(std::chrono::nanoseconds(options_.now() - begin).count());
  }
  return result;
}

void Core::Announce(NodeId peer) {
  if (!checkpointer_) return;
  outgoing_.push_back({EnvelopeKind::kAnnouncement, peer, checkpointer_->Announce(peer), ""});
}

void Core::Receive(const Envelope& envelope) {
  if (!failure_.empty()) return;
  const NodeId from = envelope.from;
  if (envelope.kind == EnvelopeKind::kAcknowledgement) {
    if (checkpointer_) {
      Measured([&] { return checkpointer_->OnAcknowledged(from, envelope.stamp), 0; });
    }
    return;
  }
  incoming_[from.index()].epoch = envelope.stamp.epoch;
  if (envelope.kind == EnvelopeKind::kAnnouncement) {
    if (checkpointer_) Measured([&] { return checkpointer_->OnReceive(from, envelope.stamp); });
    return;
  }
  std::string body(envelope.body);
  if (!service_.ValidMessage(body)) {
    ++stats_.invalid_body;
    return;
  }
  if (!Admit(from, envelope.stamp)) return;
  Acknowledge(from);
  Deliver(from, std::move(body));
}

void Core::Acknowledge(NodeId from) {
  if (!streams_ || !checkpointer_) return;
  if (++incoming_[from.index()].unacknowledged < kAcknowledgeEvery) return;
  incoming_[from.index()].unacknowledged = 0;
  const std::optional<Stamp> stamp = checkpointer_->Acknowledgement(from);
  if (stamp) outgoing_.push_back({EnvelopeKind::kAcknowledgement, from, *stamp, ""});
}

bool Core::ReceiveOwn() {
  if (own_.empty() || !failure_.empty()) return false;
  Outgoing message = std::move(own_.front());
  own_.pop_front();
  if (Admit(options_.node, message.stamp)) Deliver(options_.node, std::move(message.body));
  return true;
}

bool Core::Admit(NodeId from, const Stamp& stamp) {
  if (!checkpointer_) return true;
  const auto receive = [&] { return checkpointer_->OnReceive(from, stamp); };
  // Only a higher number forces a checkpoint; all other messages are spared the clock.
  const Receipt receipt = stamp.checkpoint > number() ? Measured(receive) : receive();
  switch (receipt) {
    case Receipt::kTake: return true;
    case Receipt::kDuplicate: ++stats_.duplicates; break;
    case Receipt::kStale: ++stats_.stale; break;
    case Receipt::kGap:
      ++stats_.gaps;
      ResetStream(from);
      break;
  }
  return false;
}

void Core::ResetStream(NodeId from) {
  if (options_.reset_stream) options_.reset_stream(from);
  OnIncomingBroken(from);
}

void Core::Deliver(NodeId from, std::string body) {
  ++stats_.received;
  const Event event{.kind = EventKind::kDeliver, .peer = from, .body = std::move(body)};
  const FilterSet::Match match = Screen(event);
  const bool vetoed = match.veto != nullptr || Handle(event, true) == Handled::kVetoed;
  // A stream without one of its messages is no stream: whatever stops the message, resets it.
  if (vetoed && streams_ && from != options_.node) ResetStream(from);
}

FilterSet::Match Core::Screen(const Event& event) {
  if (filters_.empty()) return {};
  const FilterSet::Match match = filters_.Find(event, options_.now());
  if (match.veto != nullptr) ++stats_.vetoed;
  stats_.shadowed += match.shadowed;
  return match;
}

void Core::Restart() {
  Handle({.kind = EventKind::kRestart, .peer = NodeId(0), .body = ""}, false);
}

void Core::OnIncomingBroken(NodeId peer) {
  ++stats_.streams_broken;
  if (checkpointer_) checkpointer_->OnIncomingBroken(peer, incoming_[peer.index()].epoch);
  Handle({.kind = EventKind::kBreak, .peer = peer, .body = ""}, false);
}

void Core::OnOutgoingBroken(NodeId peer) {
  ++stats_.streams_lost;
  if (checkpointer_) checkpointer_->OnOutgoingBroken(peer);
  std::erase_if(outgoing_, [peer](const Outgoing& message) { return message.to == peer; });
}

Core::CallAnswer Core::Call(const std::string& name) {
  using Kind = CallAnswer::Kind;
  // A name can stand for several calls. One that is vetoed leaves the next to be tried: the
  // application goes on with what is safe.
  CallAnswer answer{Kind::kUnknown, "", "", absl::StrCat("'", name, "' cannot be called now")};
  for (std::string& body : CallsNamed(name)) {
    std::string rendered = service_.RenderAction(body);
    const Event event{.kind = EventKind::kAction, .peer = NodeId(0), .body = std::move(body)};
    if (const FilterSet::Match match = Screen(event); match.veto != nullptr) {
      ++stats_.calls_refused;
      answer = {Kind::kRefused, rendered, match.veto->decision,
                absl::StrCat(rendered, " would lead to a violation of ", match.veto->invariant)};
      continue;
    }
    if (Handle(event, true) == Handled::kVetoed) {
      ++stats_.calls_refused;
      answer = {Kind::kRefused, rendered, kImmediate,
                absl::StrCat(rendered, " would violate an invariant at once")};
      continue;
    }
    ++stats_.calls;
    return {Kind::kDone, std::move(rendered), "", ""};
  }
  return answer;
}

std::vector<std::string> Core::CallsNamed(const std::string& name) const {
  std::vector<std::string> named;
  const std::string head = name.substr(0, name.find('('));
  bool possible = false;
  for (std::string& body : live_->Calls()) {
    const std::string rendered = service_.RenderAction(body);
    const std::string call = rendered.substr(0, rendered.find('('));
    possible = possible || call == head;
    if (rendered == name || call == name) named.push_back(std::move(body));
  }
  if (!named.empty() || !possible) return named;
  // It comes from outside: what other nodes would not accept must not get into this one.
  std::optional<std::string> body = service_.ParseCall(name);
  if (body && service_.ValidAction(*body)) named.push_back(*std::move(body));
  return named;
}

std::vector<std::string> Core::RenderCalls() const {
  std::vector<std::string> rendered;
  for (const std::string& body : live_->Calls()) rendered.push_back(service_.RenderAction(body));
  return rendered;
}

std::optional<Time> Core::Fire(const std::string& action) {
  const std::vector<std::string> enabled = live_->Actions();
  if (std::find(enabled.begin(), enabled.end(), action) == enabled.end()) return std::nullopt;
  const Event event{.kind = EventKind::kAction, .peer = NodeId(0), .body = action};
  if (const FilterSet::Match match = Screen(event); match.veto != nullptr) return match.until;
  if (Handle(event, true) == Handled::kVetoed) {
    return options_.now() + std::max(service_.Timing(action).delay, std::chrono::milliseconds(1));
  }
  ++stats_.timers;
  return std::nullopt;
}

Core::Handled Core::Handle(const Event& event, bool vetoable) {
  if (!failure_.empty()) return Handled::kFailed;
  if (vetoable && safety_.armed() && safety_.Active(options_.now())) return HandleChecked(event);
  return Absorb(event, live_->Handle(event, draw_));
}

Core::Handled Core::HandleChecked(const Event& event) {
  std::unique_ptr<model::LiveNode> copy = live_->Clone();
  model::HandlerResult result = copy->Handle(event, draw_);
  // After a failure the state means nothing.
  const SafetyCheck::Finding finding =
      result.failure.empty() ? safety_.Compare(*live_, *copy) : SafetyCheck::Finding{};
  if (finding.mode == Mode::kEnforce) {
    ++stats_.vetoed;
    ++stats_.immediate_vetoed;
    return Handled::kVetoed;
  }
  if (finding.mode == Mode::kShadow) {
    ++stats_.shadowed;
    ++stats_.immediate_shadowed;
  }
  live_ = std::move(copy);
  return Absorb(event, std::move(result));
}

Core::Handled Core::Absorb(const Event& event, model::HandlerResult result) {
  ++stats_.events;
  counter_.Count(event);
  ++version_;
  if (!result.failure.empty()) {
    failure_ = absl::StrCat(Describe(event), ": ", result.failure);
    return Handled::kFailed;
  }
  for (std::string& action : result.restarted) restarted_.push_back(std::move(action));
  for (model::Send& send : result.sends) {
    const Stamp stamp = checkpointer_ ? checkpointer_->OnSend(send.to, send.body) : Stamp{};
    const bool own = send.to == options_.node;
    ++(own ? stats_.sent_to_self : stats_.sent);
    if (own) {
      own_.push_back({EnvelopeKind::kMessage, send.to, stamp, std::move(send.body)});
    } else {
      outgoing_.push_back({EnvelopeKind::kMessage, send.to, stamp, std::move(send.body)});
    }
  }
  return Handled::kDone;
}

std::string Core::Describe(const Event& event) const {
  switch (event.kind) {
    case EventKind::kDeliver:
      return absl::StrCat(service_.RenderMessage(event.body), " from node ", event.peer.value());
    case EventKind::kAction: return service_.RenderAction(event.body);
    default: break;
  }
  const std::string name = model::KindName(event.kind);
  return model::HasPeer(event.kind) ? absl::StrCat(name, " of node ", event.peer.value()) : name;
}

absl::StatusOr<std::shared_ptr<const snapshot::Checkpoint>> Core::Request(uint64_t number) {
  if (!checkpointer_) {
    return absl::FailedPreconditionError(
        absl::StrCat("node ", options_.node.value(), " runs without checkpoints"));
  }
  return Measured([&] { return checkpointer_->Request(number); });
}

absl::Status Core::SetFilters(std::vector<snapshot::Filter> filters) {
  return filters_.Replace(service_, options_.node, std::move(filters), options_.now());
}

absl::Status Core::SetSafetyCut(const snapshot::SafetyCut& cut) {
  return safety_.Set(cut, options_.now());
}

snapshot::NodeCounters Core::Counters() const {
  return {.events = stats_.events,
          .checkpoints = stats_.checkpoints,
          .checkpoint_nanos = stats_.checkpoint_nanos,
          .checkpoint_bytes = stats_.checkpoint_bytes,
          .vetoed = stats_.vetoed,
          .shadowed = stats_.shadowed,
          .immediate_vetoed = stats_.immediate_vetoed,
          .immediate_shadowed = stats_.immediate_shadowed,
          .hits = filters_.hits()};
}

}  // namespace foretell::integration::sdk
