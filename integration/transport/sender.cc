// The half of the protocol that sends.

#include <algorithm>

#include "foretell/integration/transport/protocol.h"

namespace foretell::integration::transport {
namespace {

// As many equal Acks mean that a packet is lost.
constexpr uint32_t kRepeatsMax = 3;

// The packet that the receiver waits for. REQUIRES: some are in flight.
uint32_t TakeFirst(Sender& sender) {
  const uint32_t first = *sender.inflight.begin();
  if (sender.resend.empty() || *sender.resend.begin() > first) return first;
  return sender.resend.extract(sender.resend.begin()).value();
}

}  // namespace

bool AllAcked(const Sender& sender) {
  return sender.inflight.empty() && sender.resend.empty() && sender.unsent == 0;
}

void Protocol::Run(Sender& sender, const Submit&, Context& context) const {
  if (sender.batches > 0) --sender.batches;
  sender.unsent = messages;
  if (sender.connection == 0) Connect(sender);
  SendPackets(sender, context);
}

// A packet that is alone in the window goes out again at once.
void Protocol::Run(Sender& sender, const Retransmit& action, Context& context) const {
  sender.timers.erase(action.seq);
  if (sender.inflight.erase(action.seq) == 0) return;
  sender.resend.insert(action.seq);
  sender.window = 1;
  SendPackets(sender, context);
}

void Protocol::Run(Sender& sender, const GiveUp&, Context& context) const {
  if (sender.give_ups > 0) --sender.give_ups;
  Close(sender, context);
}

// Of a single packet in flight, equal Acks say nothing: they are those of its copies.
bool Protocol::IsRepeat(const Sender& sender, uint32_t seq) const {
  return seq == sender.acked && window_max > 1 && !sender.inflight.empty() && bug != Bug::kNoRetry;
}

void Protocol::Handle(Sender& sender, const Ack& message, Context& context) const {
  const uint32_t seq = message.seq;
  sender.resend.erase(sender.resend.begin(), sender.resend.upper_bound(seq));
  const bool beyond = !sender.inflight.empty() && seq > *sender.inflight.rbegin();
  if (sender.inflight.contains(seq) || (beyond && bug != Bug::kAckBeyond)) {
    sender.inflight.erase(sender.inflight.begin(), sender.inflight.upper_bound(seq));
    sender.timers.erase(sender.timers.begin(), sender.timers.upper_bound(seq));
    sender.window = std::min(sender.window + 1, window_max);
    sender.acked = seq;
    sender.repeats = 0;
    context.RestartTimer(Action(GiveUp{}));
    SendPackets(sender, context);
  } else if (IsRepeat(sender, seq) && ++sender.repeats == kRepeatsMax) {
    sender.repeats = 0;
    SendPacket(sender, TakeFirst(sender), context);
  }
}

void Protocol::Handle(Sender& sender, const Reset& message, Context& context) const {
  const bool mine = message.syn >= sender.connection || sender.inflight.contains(message.seq) ||
                    sender.resend.contains(message.seq);
  if (sender.connection > 0 && (mine || bug == Bug::kStaleReset)) Close(sender, context);
}

void Protocol::Connect(Sender& sender) const {
  ++sender.connection;
  sender.current = FirstSeq(sender.connection) - 1;
  sender.window = 1;
  sender.acked = 0;
  sender.repeats = 0;
}

// The application is told, and sends the whole batch again over a new connection, at once.
void Protocol::Close(Sender& sender, Context& context) const {
  sender.inflight.clear();
  sender.resend.clear();
  if (bug != Bug::kTimersSurvive) sender.timers.clear();
  sender.unsent = messages;
  if (sender.tries == 0) return;
  --sender.tries;
  Connect(sender);
  context.RestartTimer(Action(GiveUp{}));
  SendPackets(sender, context);
}

void Protocol::SendPackets(Sender& sender, Context& context) const {
  while (sender.inflight.size() < sender.window) {
    if (!sender.resend.empty()) {
      SendPacket(sender, sender.resend.extract(sender.resend.begin()).value(), context);
    } else if (sender.unsent > 0) {
      --sender.unsent;
      SendPacket(sender, ++sender.current, context);
    } else {
      return;
    }
  }
}

void Protocol::SendPacket(Sender& sender, uint32_t seq, Context& context) const {
  const uint32_t first = FirstSeq(sender.connection);
  sender.inflight.insert(seq);
  sender.timers.insert(seq);
  context.Send(kReceiver, Data{seq, seq == first ? sender.connection : 0, seq - first + 1});
}

}  // namespace foretell::integration::transport
