#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/net/envelope.h"
#include "foretell/integration/sdk/node/agent_roster.h"
#include "foretell/integration/sdk/node/event_counter.h"
#include "foretell/integration/sdk/node/guard_line.h"
#include "foretell/integration/sdk/values/random.h"
#include "foretell/integration/sdk/values/stats.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/checkpoint.h"
#include "foretell/snapshot/protocol/checkpointer.h"

namespace foretell::integration::sdk {

// A message that a handler has sent and that has not left yet.
struct Outgoing {
  EnvelopeKind kind = EnvelopeKind::kMessage;
  model::NodeId to{0};
  snapshot::Stamp stamp;
  std::string body;
};

// One live node without its surroundings: it takes events one at a time, runs the service's
// handlers, and gathers what they send. No I/O and no thread; the host calls it from its loop.
//
// Under a guard the node runs ahead: an event that an agent has to grant, and all that follow it,
// are handled on copies, and nothing of what they say leaves before the grant. Checkpoints wait
// until nothing is held, because what was received and not granted is in nobody's state.
class Core {
 public:
  struct Options {
    model::NodeId node{0};
    uint64_t seed = 1;
    bool checkpoints = true;
    uint64_t life = 1;  // See snapshot::Checkpointer::Options.
    uint64_t number = 0;
    std::function<Time()> now;  // REQUIRES: not empty.
    // Streams: resets the stream from a peer; called for gaps and filters, before the break event.
    std::function<void(model::NodeId)> reset_stream;
    // A timer that had to wait for an agent was refused; it is not to fire before then.
    std::function<void(const std::string& action, Time until)> postpone;
    // The state that a next life begins with if nothing survives; nothing: Survivor() does.
    std::optional<std::string> reborn;
  };
  // `service` and `stats` outlive the core. REQUIRES: service.ValidState(state).
  Core(const model::Service& service, const std::string& state, Options options, Stats& stats);

  // Tells `peer` of the present epoch, that of a new life or of a new stream, so that what an
  // earlier one had in flight is known to be gone.
  void Announce(model::NodeId peer);
  // Datagrams: to all peers that have not been sent a message yet. Announcements can be lost, or
  // come before the peer is there; whoever wants a cut asks, so that its next one is exact.
  void AnnounceAgain();
  // Takes a message that a peer has sent, not trusted yet.
  void Receive(const Envelope& envelope);
  // The oldest message to oneself; false if there is none.
  bool ReceiveOwn();
  void Restart();
  // The stream from `peer` broke.
  void OnIncomingBroken(model::NodeId peer);
  // The stream to `peer` broke, with what was to go out on it.
  void OnOutgoingBroken(model::NodeId peer);

  struct CallAnswer {
    enum class Kind : uint8_t { kDone, kRefused, kUnknown, kHeld } kind = Kind::kDone;
    std::string rendered;  // kDone: the call that ran.
    std::string decision;  // kRefused: by what.
    std::string reason;
  };
  // Runs the call that `name` means now: as it is rendered, or what is before its first bracket, or
  // with other arguments if the service reads them. kHeld: an agent has to grant it first, and
  // `later` gets the answer, possibly before this returns.
  using Later = std::function<void(const CallAnswer&)>;
  CallAnswer Call(const std::string& name, Later later = nullptr);
  std::vector<std::string> RenderCalls() const;

  // Fires a timer. If it may not, returns until when it has to wait.
  std::optional<Time> Fire(const std::string& action);

  // Messages sent since the caller last emptied it, in order.
  std::vector<Outgoing>& outgoing() { return outgoing_; }
  // Actions whose timers handlers have started afresh since the caller last emptied it.
  std::vector<std::string>& restarted() { return restarted_; }
  // True iff ReceiveOwn would find one.
  bool has_own() const { return !own_.empty() && !waits(); }
  // Something has to wait until all that is held now is decided, and everything else behind it.
  bool waits() const { return !deferred_.empty(); }
  // The node as it will be when all that is held has happened: what timers go by.
  const model::LiveNode& tip() const { return chain_.empty() ? *live_ : *chain_.back().after; }
  // Why the node has failed, if it has: nothing happens here any more.
  const std::string& failure() const { return failure_; }

  using Captured = absl::StatusOr<std::shared_ptr<const snapshot::Checkpoint>>;
  // `done` is called now, or when nothing is held any more.
  void Request(uint64_t number, std::function<void(Captured)> done);
  Captured Request(uint64_t number);  // REQUIRES: nothing is held.
  uint64_t number() const { return checkpointer_ ? checkpointer_->number() : 0; }
  // What agents ask for; what a session is, AgentRoster says.
  void Introduce(AgentRoster::Session session, snapshot::AgentIdentity agent);
  absl::Status SetFilters(AgentRoster::Session session, std::vector<snapshot::Filter> filters);
  absl::Status SetSafetyCut(AgentRoster::Session session, const snapshot::SafetyCut& cut);
  absl::StatusOr<std::vector<snapshot::Filter>> Adopt(AgentRoster::Session session,
                                                      const std::string& life);
  // The agent is gone, and does not guard this node any more.
  void EndSession(AgentRoster::Session session);
  snapshot::NodeCounters Counters() const;

  // See GuardLine. What is held is handled once more, so that this agent is asked about it as well.
  absl::StatusOr<snapshot::GuardJoined> Guard(GuardLine::Session session,
                                              const snapshot::GuardTerms& terms,
                                              snapshot::GuardChannel channel);
  void AwaitGuard(const std::string& mark) { line_.Await(mark, *live_); }
  const std::string& guard_mark() const { return line_.mark(); }
  void EndGuard(GuardLine::Session session);
  void AnswerGuard(GuardLine::Session session, const snapshot::GuardAnswer& answer);
  // Lets happen what has waited for too long; to be called at the time of `guard_due` or later.
  void ExpireGuard();
  std::optional<Time> guard_due() const { return line_.Next(); }
  bool holds() const { return !chain_.empty(); }
  // All that has happened is durable.
  void SettleGuard() { line_.Settle(); }

  const model::LiveNode& live() const { return *live_; }
  const model::Service& service() const { return service_; }
  model::NodeId node() const { return options_.node; }
  const EventCounter& counter() const { return counter_; }
  // Grows whenever the state may have changed.
  uint64_t version() const { return version_; }

 private:
  enum class Handled : uint8_t { kDone, kVetoed, kFailed, kHeld };
  // A call under way: what is to be tried if it is refused, and who waits.
  struct CallInProgress {
    std::string name;
    std::vector<std::string> bodies;  // Those still to be tried, the next one last.
    Later later;
    CallAnswer answer;  // If nothing is left to be tried.
    bool answered = false;
  };
  using CallPtr = std::shared_ptr<CallInProgress>;
  // An event that was handled ahead.
  struct Held {
    model::Event event;
    bool vetoable = true;
    CallPtr call;  // Null if it is none.
    std::unique_ptr<model::LiveNode> after;
    model::HandlerResult result;
    uint64_t step = 0;  // That agents were asked about; 0: they need not be.
  };
  static constexpr size_t kHeldMax = 4096;  // Events, or inputs that wait for them to be decided.
  static constexpr const char* kImmediate = "immediate-check";

  static constexpr uint32_t kAcknowledgeEvery = 64;

  void Acknowledge(model::NodeId from);
  bool Admit(model::NodeId from, const snapshot::Stamp& stamp);
  void Deliver(model::NodeId from, std::string body);
  bool Checked() { return !agents_.idle() && agents_.Checks(options_.now()); }
  // The verdict of the filters on `event`; counts.
  FilterSet::Match Screen(const model::Event& event);
  // The bodies that `name` can mean now.
  std::vector<std::string> CallsNamed(const std::string& name) const;
  void BeginCall(const CallPtr& call);
  void TryCalls(const CallPtr& call);
  Handled Handle(const model::Event& event, bool vetoable, const CallPtr& call = nullptr);
  // On a copy, because somebody may object.
  Handled HandleAhead(const model::Event& event, bool vetoable, const CallPtr& call);
  bool Vetoable(const model::Event& event) const;
  // True iff the nodes' own check lets `after` happen; counts.
  bool Passes(const model::LiveNode& after);
  // Lets happen what is decided, and then what waited for it.
  void Drain();
  void DrainChain();
  void Refuse(const snapshot::GuardAnswer& answer);
  void Redo(std::deque<Held> chain);
  void Redo(Held held);
  // What follows from a veto: a timer waits, a stream is reset.
  void Vetoed(const model::Event& event);
  void Postpone(const std::string& action, Time until);
  std::chrono::milliseconds PauseOf(const std::string& action) const;
  // Runs `input` after what waits already; if it has to be `alone`, when nothing is held any more.
  void Defer(bool alone, std::function<void()> input);
  void Accept(const Envelope& envelope);
  Handled Absorb(const model::Event& event, model::HandlerResult result);
  void ResetStream(model::NodeId from);
  std::string Describe(const model::Event& event) const;
  // Runs `take`, which may take a checkpoint, and counts what that cost.
  template <class Take>
  auto Measured(Take take);

  const model::Service& service_;
  Options options_;
  const bool streams_;
  Stats& stats_;
  EventCounter counter_;
  std::unique_ptr<model::LiveNode> live_;
  Random random_;
  model::Draw draw_;
  std::unique_ptr<snapshot::Checkpointer> checkpointer_;  // Null: no checkpoints.
  AgentRoster agents_;
  GuardLine line_;
  std::deque<Held> chain_;
  struct Deferred {
    bool alone = false;
    std::function<void()> input;
  };
  std::deque<Deferred> deferred_;  // Only while something is held.
  bool draining_ = false;
  std::vector<Outgoing> outgoing_;
  std::vector<std::string> restarted_;
  std::deque<Outgoing> own_;
  // Streams: what is known of the one from each peer.
  struct Incoming {
    uint64_t epoch = 0;
    uint32_t unacknowledged = 0;
  };
  std::vector<Incoming> incoming_;
  std::string failure_;
  uint64_t version_ = 0;
};

}  // namespace foretell::integration::sdk
