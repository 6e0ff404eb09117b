// The half of the protocol that receives.

#include <algorithm>

#include "foretell/integration/transport/protocol.h"

namespace foretell::integration::transport {
namespace {

// As many packets beyond the window mean that the sender thinks of another connection.
constexpr uint32_t kRepeatsMax = 3;

// Closed: of what was known, only what outlives a connection.
Receiver Fresh(const Receiver& receiver) {
  return {.connection = receiver.connection,
          .in_order = receiver.in_order,
          .forgetful = receiver.forgetful};
}

void Open(Receiver& receiver, const Data& message) {
  receiver = Fresh(receiver);
  receiver.open = true;
  receiver.connection = message.syn;
  receiver.next = message.seq;
}

void Deliver(Receiver& receiver, const Early& packet) {
  receiver.in_order = receiver.in_order && packet.message == receiver.expected;
  receiver.expected = packet.message + 1;
  receiver.next = packet.seq + 1;
  receiver.beyond = 0;
}

// Packets before `next` are there only if one was buffered twice.
void DeliverBuffered(Receiver& receiver) {
  std::vector<Early>& buffered = receiver.buffered;
  while (!buffered.empty() && buffered.front().seq <= receiver.next) {
    Deliver(receiver, buffered.front());
    buffered.erase(buffered.begin());
  }
}

}  // namespace

bool Protocol::IsStale(const Receiver& receiver, const Data& message) const {
  if (message.syn == 0 || message.syn == receiver.connection) return !receiver.open;
  return message.syn < receiver.connection && bug != Bug::kStaleSyn;
}

void Protocol::Handle(Receiver& receiver, const Data& message, Context& context) const {
  if (IsStale(receiver, message)) {
    context.Send(kSender, Reset{message.syn, message.seq});
    return;
  }
  if (message.syn != 0 && message.syn != receiver.connection) Open(receiver, message);
  const bool past = message.seq < receiver.next;
  if (message.seq == receiver.next) {
    Deliver(receiver, {message.seq, message.message});
    DeliverBuffered(receiver);
  } else if (!past && Buffer(receiver, message)) {
    context.Send(kSender, Reset{message.syn, message.seq});
    return;
  }
  context.Send(kSender, Ack{past && bug == Bug::kAckOffByOne ? receiver.next : receiver.next - 1});
}

// What is beyond the window is ignored. Who keeps sending such packets thinks of another
// connection.
bool Protocol::Buffer(Receiver& receiver, const Data& message) const {
  if (message.seq - receiver.next < window_max) {
    std::vector<Early>& buffered = receiver.buffered;
    const Early early{message.seq, message.message};
    const auto [first, last] = std::equal_range(buffered.begin(), buffered.end(), early);
    if (last - first < (bug == Bug::kTwice ? 2 : 1)) buffered.insert(last, early);
    return false;
  }
  if (bug == Bug::kNoFastReset || bug == Bug::kStaleSyn) return false;
  if (++receiver.beyond < kRepeatsMax) return false;
  receiver = Fresh(receiver);
  return true;
}

}  // namespace foretell::integration::transport
