#pragma once

// MaceTransport as MaceMC tells of it (sections 2 and 5): messages in order over datagrams, with
// connections that open without a handshake. Node 0 sends, node 1 receives.

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::transport {

inline constexpr model::NodeId kSender(0);
inline constexpr model::NodeId kReceiver(1);

// The sequence number of the first packet of a connection: 2001, 6001, 10001, as in the paper.
constexpr uint32_t FirstSeq(uint32_t connection) { return 4'000 * connection - 1'999; }

enum class Bug : uint8_t {
  kNone,
  kStaleSyn,       // Any SYN but that of the connection opens one. As then, no fast reset either.
  kNoFastReset,    // A receiver never wonders at packets that keep coming too early.
  kAckBeyond,      // An Ack larger than all in flight is ignored.
  kStaleReset,     // Any Reset closes the connection.
  kNoRetry,        // Nothing is ever sent again.
  kTimersSurvive,  // Closing a connection cancels no timer.
  kAckOffByOne,    // A packet from the past is acknowledged with the next number.
  kTwice,          // A packet that is buffered is buffered again.
};

// The half that sends, and the application behind it.
struct Sender {
  uint32_t connection = 0;      // The SYN carries it; 0: none so far.
  uint32_t current = 0;         // The sequence number of the packet sent last.
  std::set<uint32_t> inflight;  // Sent and not acknowledged.
  std::set<uint32_t> resend;    // Timed out, waiting for room in the window.
  uint32_t unsent = 0;          // Messages that wait for room in the window.
  std::set<uint32_t> timers;    // For retransmission.
  uint32_t window = 1;
  uint32_t acked = 0;     // The last Ack that said something new.
  uint32_t repeats = 0;   // Of that Ack.
  uint32_t batches = 0;   // That the application may still submit.
  uint32_t tries = 0;     // That the application has left if a connection closes.
  uint32_t give_ups = 0;  // That can still happen.
  FORETELL_FIELDS(connection, current, inflight, resend, unsent, timers, window, acked, repeats,
                  batches, tries, give_ups)
};

// A packet that came too early.
struct Early {
  uint32_t seq = 0;
  uint32_t message = 0;
  friend auto operator<=>(const Early&, const Early&) = default;
  FORETELL_FIELDS(seq, message)
};

// The half that receives, and the application behind it.
struct Receiver {
  bool open = false;
  uint32_t connection = 0;      // The highest seen; survives that it is closed, but no crash.
  uint32_t next = 0;            // The sequence number that is due.
  std::vector<Early> buffered;  // Sorted.
  uint32_t beyond = 0;          // Packets beyond the window since the last delivery.
  uint32_t expected = 1;        // The message that is due.
  bool in_order = true;         // The messages of every connection came in order.
  bool forgetful = false;       // It has crashed, and does not know what it delivered before.
  FORETELL_FIELDS(open, connection, next, buffered, beyond, expected, in_order, forgetful)
};

struct State {
  Sender sender;
  Receiver receiver;
  FORETELL_FIELDS(sender, receiver)
};

// `syn` is the number of the connection in its first packet, else 0; messages of a connection count
// from 1.
struct Data {
  uint32_t seq = 0;
  uint32_t syn = 0;
  uint32_t message = 0;
  FORETELL_FIELDS(seq, syn, message)
};
// All up to `seq` have arrived.
struct Ack {
  uint32_t seq = 0;
  FORETELL_FIELDS(seq)
};
// The receiver has no connection for the packet with these numbers.
struct Reset {
  uint32_t syn = 0;
  uint32_t seq = 0;
  FORETELL_FIELDS(syn, seq)
};

// The application sends a batch of messages.
struct Submit {};
struct Retransmit {
  uint32_t seq = 0;
  FORETELL_FIELDS(seq)
};
// The sender has tried for too long and closes the connection. Nobody may count on it.
struct GiveUp {};

struct Protocol {
  using State = transport::State;
  using Message = std::variant<Data, Ack, Reset>;
  using Action = std::variant<Submit, Retransmit, GiveUp>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  uint32_t messages = 2;    // In a batch.
  uint32_t window_max = 1;  // Packets in flight; and how far ahead a receiver buffers.
  uint32_t batches_max = 1;
  uint32_t give_ups_max = 1;
  uint8_t crashes_max = 0;  // Of the receiver.
  uint32_t duplicates_max = 0;

  uint32_t node_count() const { return 2; }
  std::string Role(model::NodeId node) const;
  model::Network network() const { return {.duplicates_max = duplicates_max}; }
  model::FaultBudget faults(model::NodeId node) const;
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  model::ActionTiming Timing(const Action& action) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;
  std::vector<Action> Calls(model::NodeId node, const State& state) const;
  std::vector<Imagined> Imagine(const Cut& live) const;

 private:
  // sender.cc
  void Run(Sender& sender, const Submit& action, Context& context) const;
  void Run(Sender& sender, const Retransmit& action, Context& context) const;
  void Run(Sender& sender, const GiveUp& action, Context& context) const;
  void Handle(Sender& sender, const Ack& message, Context& context) const;
  void Handle(Sender& sender, const Reset& message, Context& context) const;
  bool IsRepeat(const Sender& sender, uint32_t seq) const;
  void Connect(Sender& sender) const;
  void Close(Sender& sender, Context& context) const;
  void SendPackets(Sender& sender, Context& context) const;
  void SendPacket(Sender& sender, uint32_t seq, Context& context) const;

  // receiver.cc
  void Handle(Receiver& receiver, const Data& message, Context& context) const;
  bool IsStale(const Receiver& receiver, const Data& message) const;
  // True if the connection was reset instead.
  bool Buffer(Receiver& receiver, const Data& message) const;
};

// True iff nothing waits to be sent or acknowledged.
bool AllAcked(const Sender& sender);

}  // namespace foretell::integration::transport
