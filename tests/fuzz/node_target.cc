// What a live node takes from peers and from clients.

#include "foretell/integration/sdk/net/envelope.h"
#include "foretell/integration/sdk/net/host_port.h"
#include "foretell/integration/sdk/node/commands.h"
#include "foretell/tests/fuzz/live_services.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using integration::sdk::Core;
using integration::sdk::Envelope;
using integration::sdk::EnvelopeError;
using integration::sdk::EnvelopeKind;
using integration::sdk::Time;
using model::NodeId;

constexpr uint64_t kCluster = 17;
constexpr size_t kTurnsMax = 256;  // Of messages to oneself: a service may go on for ever.

// A node on its own: what it sends goes nowhere.
class LonelyNode {
 public:
  explicit LonelyNode(const model::Service& service)
      : service_(service),
        core_(service, service.InitialState(NodeId(0)),
              {.now = [this] { return now_; },
               .reset_stream = [](NodeId) {},
               .postpone = [](const std::string&, Time) {}},
              stats_) {}

  void Receive(const std::string& datagram) {
    Envelope envelope;
    const integration::sdk::Membership members{kCluster, service_.node_count(), NodeId(0)};
    if (ParseEnvelope(datagram, members, envelope) == EnvelopeError::kNone) {
      core_.Receive(envelope);
    }
    Settle();
  }
  void Settle() {
    for (size_t i = 0; i < kTurnsMax && core_.ReceiveOwn(); ++i) {
    }
    core_.outgoing().clear();
    core_.restarted().clear();
  }
  Core& core() { return core_; }
  const integration::sdk::Stats& stats() const { return stats_; }

 private:
  const model::Service& service_;
  Time now_{};
  integration::sdk::Stats stats_;
  Core core_;
};

// Datagrams follow each other: a byte, and if that is even the whole, else what makes an envelope
// whose checksum fits.
constexpr char kEnvelope = 1;

std::string DatagramOf(Input& input, uint32_t node_count) {
  if (input.Byte() % 2 == 0) return input.Part();
  Envelope envelope;
  envelope.kind = static_cast<EnvelopeKind>(input.Byte() % 3);
  envelope.from = NodeId(1 + input.Byte() % std::max(1u, node_count - 1));
  envelope.stamp = {input.Byte(), snapshot::FirstEpoch(1 + input.Byte()), input.Short()};
  const std::string body = input.Part();
  envelope.body = body;
  std::string datagram;
  AppendEnvelope(envelope, kCluster, datagram);
  return datagram;
}

}  // namespace

void RunPeer(const std::string& bytes) {
  Input input(bytes);
  const LiveService& live = PickLive(input.Byte());
  LonelyNode node(*live.system.service);
  while (!input.empty()) node.Receive(DatagramOf(input, live.system.service->node_count()));
  static_cast<void>(node.core().Request(1));
}

std::vector<std::string> PeerSeeds() {
  std::vector<std::string> seeds;
  for (size_t i = 0; i < LiveServices().size(); ++i) {
    std::string seed(1, static_cast<char>(i));
    uint8_t seq = 0;
    for (const std::string& body : LiveServices()[i].messages) {
      seed += std::string{kEnvelope, 0, 0, 0, 0, static_cast<char>(++seq), 0} + AsPart(body);
    }
    seeds.push_back(seed);
  }
  Envelope envelope{.from = NodeId(1), .body = "a body"};
  std::string datagram;
  AppendEnvelope(envelope, kCluster, datagram);
  seeds.push_back(std::string(2, '\0') + AsPart(datagram));
  return seeds;
}

void RunClient(const std::string& bytes) {
  Input input(bytes);
  LonelyNode node(*PickLive(input.Byte()).system.service);
  integration::sdk::Faults faults;
  integration::sdk::Commands commands(
      node.core(), node.stats(),
      {.begun = [] { return true; },
       .faults = [&] { return faults; },
       .set_faults = [&](const integration::sdk::Faults& set) { faults = set; },
       .set_peers =
           [](const std::vector<std::string>& peers) {
             absl::Status status;
             for (const std::string& peer : peers) {
               status.Update(integration::sdk::ParseNumericHostPort(peer).status());
             }
             return status;
           },
       .clock = [](std::optional<std::chrono::microseconds>) { return std::string("0 - 0"); },
       .hint = [] { return true; },
       .stop = [] {}});
  const std::string text = input.Rest();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    commands.Run(text.substr(at, end - at), [](const std::string&) {});
    node.Settle();
    at = end + 1;
  }
}

std::vector<std::string> ClientSeeds() {
  std::vector<std::string> seeds;
  for (size_t i = 0; i < LiveServices().size(); ++i) {
    std::string seed(1, static_cast<char>(i));
    for (const std::string& call : LiveServices()[i].calls) seed += "call " + call + "\n";
    seeds.push_back(seed +
                    "calls\nstate\nprojections\nstats\nevents\nhint\nclock 17\nask chosen\n" +
                    "faults loss=0.3 delay=5ms..20ms duplicate=0.01 partition=1 seed=7\n" +
                    "peers 127.0.0.1:7000,[::1]:7001,localhost:7002\n");
  }
  return seeds;
}

}  // namespace foretell::fuzz
