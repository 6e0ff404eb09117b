#include "foretell/integration/sdk/node/core.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "foretell/integration/catalog.h"
#include "foretell/model/check.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;

// Three Paxos nodes that decide one index after the other, without sockets: what checkpointing
// costs per message, where nothing else costs anything. Argument: whether it is on.
void BM_PaxosDecides(benchmark::State& state) {
  const model::Catalog catalog = BuiltinServices();
  const model::System system = *model::FindFamily(catalog, "paxos")->Make("live", "");
  std::vector<Stats> stats(3);
  std::vector<std::unique_ptr<Core>> cores;
  for (uint32_t n = 0; n < 3; ++n) {
    Core::Options options{.node = NodeId(n), .checkpoints = state.range(0) != 0, .now = [] {
                            return std::chrono::steady_clock::now();
                          }};
    cores.push_back(std::make_unique<Core>(*system.service, system.start.nodes[n].body,
                                           std::move(options), stats[n]));
  }
  std::vector<Outgoing> moving;
  std::string wire;
  for (auto _ : state) {
    FORETELL_CHECK(cores[0]->Call("Propose").kind == Core::CallAnswer::Kind::kDone);
    for (bool busy = true; busy;) {
      busy = false;
      for (uint32_t n = 0; n < 3; ++n) {
        while (cores[n]->ReceiveOwn()) busy = true;
        moving.swap(cores[n]->outgoing());
        for (const Outgoing& message : moving) {
          wire.clear();
          AppendEnvelope({message.kind, NodeId(n), message.to, message.stamp, message.body}, 1,
                         wire);
          Envelope envelope;
          const Membership receiver{.cluster = 1, .node_count = 3, .self = message.to};
          FORETELL_CHECK(ParseEnvelope(wire, receiver, envelope) == EnvelopeError::kNone);
          cores[message.to.index()]->Receive(envelope);
          busy = true;
        }
        moving.clear();
      }
    }
  }
  uint64_t messages = 0;
  for (const Stats& one : stats) messages += one.received;
  state.SetItemsProcessed(static_cast<int64_t>(messages));
}
BENCHMARK(BM_PaxosDecides)->Arg(0)->Arg(1);

}  // namespace
}  // namespace foretell::integration::sdk
