#include "foretell/integration/transport/family.h"

namespace foretell::integration::transport {
namespace {

constexpr const char* kLive = "live";

std::function<void(Protocol&)> Plant(Bug bug) {
  return [bug](Protocol& p) { p.bug = bug; };
}

std::string NeedsGiveUp(const Protocol& p, const std::string&) {
  return p.give_ups_max > 0 ? "" : "a sender that gives up";
}
std::string NeedsCrash(const Protocol& p, const std::string&) {
  return p.crashes_max > 0 ? "" : "a receiver that crashes";
}
std::string NeedsWindow(const Protocol& p, const std::string&) {
  return p.window_max > 1 ? "" : "two packets in flight";
}
// In a window of three a packet can be sent again before the one in front of it.
std::string NeedsTwins(const Protocol& p, const std::string&) {
  const bool twins = p.window_max > 2 || (p.window_max > 1 && p.duplicates_max > 0);
  return twins ? "" : "early packets that come twice";
}

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  return {
      {"one-give-up",
       "two messages, one at a time; the sender may give up once (MaceMC section 5)"},
      {"two-give-ups", "as one-give-up, and the sender may give up once more",
       [](Protocol& p) { p.give_ups_max = 2; }},
      {"crash", "as one-give-up, and the receiver may crash",
       [](Protocol& p) { p.crashes_max = 1; }},
      {"window", "three messages, two at a time, and nothing goes wrong but the order",
       [](Protocol& p) { p = {.messages = 3, .window_max = 2, .give_ups_max = 0}; }},
      {"duplicates", "as window, and every message may arrive twice",
       [](Protocol& p) {
         p = {.messages = 3, .window_max = 2, .give_ups_max = 0, .duplicates_max = 1};
       }},
      {"large", "three messages, one at a time; the sender may give up twice",
       [](Protocol& p) { p = {.messages = 3, .give_ups_max = 2}; }},
      {kLive, "a running pair: node 0 sends ten messages whenever it is called",
       [](Protocol& p) {
         p = {.messages = 10,
              .window_max = 4,
              .batches_max = 0,
              .give_ups_max = 1'000,
              .crashes_max = 1};
       }},
  };
}

std::vector<model::BugRow<Protocol>> Bugs() {
  return {
      {"stale-syn",
       "any SYN opens a connection, also one of the past (MaceMC section 5); no fast reset either",
       Plant(Bug::kStaleSyn), NeedsGiveUp},
      {"no-fast-reset", "a receiver never wonders at packets of a connection that it forgot",
       Plant(Bug::kNoFastReset), NeedsCrash},
      {"ack-beyond", "an Ack larger than all in flight is ignored", Plant(Bug::kAckBeyond),
       NeedsWindow},
      {"stale-reset", "a Reset closes whatever connection there is", Plant(Bug::kStaleReset),
       NeedsGiveUp},
      {"no-retry", "nothing is ever sent again", Plant(Bug::kNoRetry)},
      {"timers-survive", "closing a connection cancels no timer", Plant(Bug::kTimersSurvive),
       NeedsGiveUp},
      {"ack-off-by-one", "a packet of the past is acknowledged as the one that is due",
       Plant(Bug::kAckOffByOne)},
      {"twice", "an early packet that comes twice is delivered twice", Plant(Bug::kTwice),
       NeedsTwins},
  };
}

}  // namespace

Family::Family()
    : model::Family<Protocol>({
          .name = "transport",
          .text =
              "MaceTransport: messages in order over datagrams, connections without a handshake",
          .scenarios = Scenarios(),
          .bugs = Bugs(),
          .parameters = {{"messages", "how many are sent", &Protocol::messages, 1, 100},
                         {"window", "how many packets may be in flight", &Protocol::window_max, 1,
                          8},
                         {"give-ups", "how often the sender may give up", &Protocol::give_ups_max,
                          0, 1'000}},
          .live = kLive,
          .version = FORETELL_SOURCE_VERSION,
      }) {}

}  // namespace foretell::integration::transport
