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
      agents_(service, options_.node),
      line_(service, options_.node, options_.reborn, stats),
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

void Core::AnnounceAgain() {
  if (!checkpointer_ || streams_) return;
  for (uint32_t n = 0; n < service_.node_count(); ++n) {
    if (NodeId(n) != options_.node && checkpointer_->SilentTo(NodeId(n))) Announce(NodeId(n));
  }
}

void Core::Receive(const Envelope& envelope) {
  if (!failure_.empty()) return;
  // A checkpoint of now would lack what was received and not granted yet.
  const bool alone = envelope.stamp.checkpoint > number();
  if (chain_.empty() || (!waits() && !alone)) return Accept(envelope);
  Defer(alone, [this, copy = envelope, body = std::string(envelope.body)]() mutable {
    copy.body = body;
    Accept(copy);
  });
}

void Core::Accept(const Envelope& envelope) {
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
  if (!has_own() || !failure_.empty()) return false;
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
  if (match.veto != nullptr || Handle(event, true) == Handled::kVetoed) Vetoed(event);
}

FilterSet::Match Core::Screen(const Event& event) {
  if (agents_.idle()) return {};
  const FilterSet::Match match = agents_.Find(event, options_.now());
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

Core::CallAnswer Core::Call(const std::string& name, Later later) {
  using Kind = CallAnswer::Kind;
  const auto call = std::make_shared<CallInProgress>();
  call->name = name;
  if (waits()) {
    call->later = std::move(later);
    Defer(/*alone=*/false, [this, call] { BeginCall(call); });
    return {Kind::kHeld, "", "", ""};
  }
  BeginCall(call);
  if (call->answered) return call->answer;
  call->later = std::move(later);
  return {Kind::kHeld, "", "", ""};
}

void Core::BeginCall(const CallPtr& call) {
  call->bodies = CallsNamed(call->name);
  std::reverse(call->bodies.begin(), call->bodies.end());
  call->answer = {CallAnswer::Kind::kUnknown, "", "",
                  absl::StrCat("'", call->name, "' cannot be called now")};
  TryCalls(call);
}

// A name can stand for several calls. One that is vetoed leaves the next to be tried: the
// application goes on with what is safe.
void Core::TryCalls(const CallPtr& call) {
  using Kind = CallAnswer::Kind;
  CallAnswer& answer = call->answer;
  while (!call->bodies.empty()) {
    std::string body = std::move(call->bodies.back());
    call->bodies.pop_back();
    std::string rendered = service_.RenderAction(body);
    const Event event{.kind = EventKind::kAction, .peer = NodeId(0), .body = std::move(body)};
    if (const FilterSet::Match match = Screen(event); match.veto != nullptr) {
      ++stats_.calls_refused;
      answer = {Kind::kRefused, rendered, match.veto->decision,
                absl::StrCat(rendered, " would lead to a violation of ", match.veto->invariant)};
      continue;
    }
    const Handled handled = Handle(event, true, call);
    if (handled == Handled::kHeld) return;
    if (handled == Handled::kVetoed) {
      ++stats_.calls_refused;
      answer = {Kind::kRefused, rendered, kImmediate,
                absl::StrCat(rendered, " would violate an invariant at once")};
      continue;
    }
    ++stats_.calls;
    answer = {Kind::kDone, std::move(rendered), "", ""};
    break;
  }
  call->answered = true;
  if (call->later) call->later(answer);
}

std::vector<std::string> Core::CallsNamed(const std::string& name) const {
  std::vector<std::string> named;
  const std::string head = name.substr(0, name.find('('));
  bool possible = false;
  for (std::string& body : tip().Calls()) {
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
  for (const std::string& body : tip().Calls()) rendered.push_back(service_.RenderAction(body));
  return rendered;
}

std::optional<Time> Core::Fire(const std::string& action) {
  const std::vector<std::string> enabled = tip().Actions();
  if (std::find(enabled.begin(), enabled.end(), action) == enabled.end()) return std::nullopt;
  const Event event{.kind = EventKind::kAction, .peer = NodeId(0), .body = action};
  if (const FilterSet::Match match = Screen(event); match.veto != nullptr) return match.until;
  switch (Handle(event, true)) {
    case Handled::kVetoed: return options_.now() + PauseOf(action);
    case Handled::kHeld: break;  // Counted when it happens.
    default: ++stats_.timers;
  }
  return std::nullopt;
}

Core::Handled Core::Handle(const Event& event, bool vetoable, const CallPtr& call) {
  if (!failure_.empty()) return Handled::kFailed;
  const bool checked = vetoable && Checked();
  if (checked || line_.guarded() || !chain_.empty()) return HandleAhead(event, vetoable, call);
  return Absorb(event, live_->Handle(event, draw_));
}

Core::Handled Core::HandleAhead(const Event& event, bool vetoable, const CallPtr& call) {
  std::unique_ptr<model::LiveNode> after = tip().Clone();
  model::HandlerResult result = after->Handle(event, draw_);
  uint64_t step = 0;
  // After a failure the state means nothing.
  if (result.failure.empty()) {
    if (vetoable && Checked() && !Passes(*after)) return Handled::kVetoed;
    if (line_.guarded()) {
      const bool forced = !vetoable || !Vetoable(event);
      step = line_.Ask(
          *after, forced, [&] { return Describe(event); }, options_.now());
    }
  }
  if (chain_.empty() && line_.AnswerOf(step)) {
    live_ = std::move(after);
    if (step != 0) line_.Applied(step, options_.now());
    return Absorb(event, std::move(result));
  }
  ++version_;  // Of the tip.
  chain_.push_back({event, vetoable, call, std::move(after), std::move(result), step});
  if (chain_.size() > kHeldMax) {
    line_.LapseWaiting(absl::StrCat(kHeldMax, " events are held already"));
    Drain();
  }
  return Handled::kHeld;
}

bool Core::Passes(const model::LiveNode& after) {
  const SafetyCheck::Finding finding = agents_.Compare(tip(), after);
  if (finding.mode == Mode::kEnforce) {
    ++stats_.vetoed;
    ++stats_.immediate_vetoed;
    return false;
  }
  if (finding.mode == Mode::kShadow) {
    ++stats_.shadowed;
    ++stats_.immediate_shadowed;
  }
  return true;
}

bool Core::Vetoable(const Event& event) const {
  return event.kind != EventKind::kAction || service_.Timing(event.body).vetoable;
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

void Core::Request(uint64_t number, std::function<void(Captured)> done) {
  if (chain_.empty()) return done(Request(number));
  Defer(/*alone=*/true, [this, number, done = std::move(done)] { done(Request(number)); });
}

Core::Captured Core::Request(uint64_t number) {
  FORETELL_CHECK(chain_.empty());
  if (!checkpointer_) {
    return absl::FailedPreconditionError(
        absl::StrCat("node ", options_.node.value(), " runs without checkpoints"));
  }
  return Measured([&] { return checkpointer_->Request(number); });
}

void Core::Introduce(AgentRoster::Session session, snapshot::AgentIdentity agent) {
  agents_.Introduce(session, std::move(agent), options_.now());
}

absl::Status Core::SetFilters(AgentRoster::Session session, std::vector<snapshot::Filter> filters) {
  return agents_.SetFilters(session, std::move(filters), options_.now());
}

absl::Status Core::SetSafetyCut(AgentRoster::Session session, const snapshot::SafetyCut& cut) {
  return agents_.SetSafetyCut(session, cut, options_.now());
}

absl::StatusOr<std::vector<snapshot::Filter>> Core::Adopt(AgentRoster::Session session,
                                                          const std::string& life) {
  return agents_.Adopt(session, life, options_.now());
}

void Core::EndSession(AgentRoster::Session session) {
  agents_.End(session, options_.now());
  EndGuard(session);
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
          .guard_asked = stats_.guard_asked,
          .guard_forced = stats_.guard_forced,
          .guard_refused = stats_.guard_refused,
          .guard_expired = stats_.guard_expired,
          .guard_lapsed = stats_.guard_lapsed,
          .guard_nanos = stats_.guard_nanos,
          .hits = agents_.hits(),
          .agents = agents_.Known(options_.now())};
}

}  // namespace foretell::integration::sdk
