#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/testing/cluster.h"
#include "foretell/model/typed/service.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/rpc/client.h"
#include "foretell/snapshot/testing/large_states.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/snapshot_sections.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Cluster = integration::sdk::testing::Cluster;
using snapshot::kLargeNodes;

// Only a guard against hanging.
constexpr std::chrono::seconds kTimeout(30);

struct Cuts {
  std::vector<double> seconds;
  std::vector<double> bytes;  // On the wire.
};

// Live hosts with large states, and an agent that collects cuts of them.
class Collection {
 public:
  Collection(const model::Service& service, const std::string& directory)
      : service_(service), cluster_(service) {
    cluster_.StartAll([&directory](integration::sdk::HostOptions& options) {
      options.agent =
          snapshot::Address{.path = absl::StrCat(directory, "/", options.node.value(), ".sock")};
    });
  }

  bool Measure(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      if (!Connect() || !Collect(first) || !Collect(unchanged)) return false;
      for (uint32_t n = 0; n < kLargeNodes; ++n) {
        if (!cluster_.Ask(n, "call Touch").starts_with("ok")) return false;
      }
      if (!Collect(changed)) return false;
    }
    return true;
  }

  // What a checkpoint cost on average, as the nodes themselves counted.
  Seconds CheckpointMean() {
    uint64_t nanos = 0;
    uint64_t count = 0;
    for (const auto& counters : agent_->Counters(kTimeout)) {
      if (!counters.ok()) continue;
      nanos += counters->checkpoint_nanos;
      count += counters->checkpoints;
    }
    return count == 0 ? Seconds(0) : std::chrono::nanoseconds(nanos / count);
  }

  Cuts first;      // By an agent that has nothing yet.
  Cuts unchanged;  // Of nodes that did nothing since the last one.
  Cuts changed;    // Of nodes of which 1 % has changed.
  double raw_bytes = 0;

 private:
  // A new agent, whose connections are there before the clock runs.
  bool Connect() {
    agent_.reset();
    snapshot::RpcClient::Options options;
    for (uint32_t n = 0; n < kLargeNodes; ++n) {
      options.nodes.push_back(
          {model::NodeId(n), *snapshot::ParseAddress(cluster_.host(n).agent_address())});
    }
    options.interesting = [](model::NodeId) {};
    auto agent = snapshot::RpcClient::Start(std::move(options));
    if (!agent.ok()) return false;
    agent_ = *std::move(agent);
    for (const auto& info : agent_->Infos(kTimeout)) {
      if (!info.ok()) return false;
    }
    return true;
  }

  // From the question to a validated cut.
  bool Collect(Cuts& cuts) {
    const Clock::time_point begin = Clock::now();
    const auto replies = agent_->Collect(++number_, kTimeout);
    std::vector<std::shared_ptr<const snapshot::Checkpoint>> checkpoints;
    uint64_t bytes = 0;
    for (const snapshot::CheckpointReply& reply : replies) {
      if (!reply.checkpoint.ok()) return false;
      checkpoints.push_back(*reply.checkpoint);
      bytes += reply.bytes;
    }
    const std::vector<std::string> reasons(kLargeNodes);
    const auto snapshot = snapshot::Assemble(service_, number_, checkpoints, reasons);
    const Seconds time = Clock::now() - begin;
    if (!snapshot.ok() || !snapshot->absent.empty()) return false;
    cuts.seconds.push_back(time.count());
    cuts.bytes.push_back(static_cast<double>(bytes));
    raw_bytes = 0;
    for (const auto& node : snapshot->cut.nodes) raw_bytes += static_cast<double>(node.body.size());
    return true;
  }

  const model::Service& service_;
  Cluster cluster_;
  std::unique_ptr<snapshot::RpcClient> agent_;
  uint64_t number_ = 0;
};

bool AddRows(const char* shape, const model::Service& service, uint64_t count,
             const std::string& directory, Table& table) {
  Collection collection(service, directory);
  if (!collection.Measure(count)) return false;
  const std::string mean = Time(collection.CheckpointMean());
  const auto add = [&](const char* kind, const Cuts& cuts) {
    const double bytes = Median(cuts.bytes);
    table.Add({absl::StrCat(shape, ", ", kind), Time(Seconds(Median(cuts.seconds))),
               Time(Seconds(Quantile(cuts.seconds, 0.99))), "< 100 ms",
               Bytes(static_cast<uint64_t>(collection.raw_bytes)),
               Bytes(static_cast<uint64_t>(bytes)),
               bytes == 0 ? kNoFigure : Times(collection.raw_bytes / bytes), mean});
  };
  add("first cut", collection.first);
  add("nothing changed", collection.unchanged);
  add("1 % changed", collection.changed);
  return true;
}

}  // namespace

bool PrintCuts(const SnapshotPlan& plan, std::ostream& out) {
  std::string pattern = (std::filesystem::temp_directory_path() / "foretell-benchXXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  out << "CUTS of " << kLargeNodes
      << " live nodes with 1 MB each, over unix sockets, until validated; " << plan.cuts
      << " of each kind\n\n";
  Table table;
  table.Add({"", "time", "time", "", "of state", "on the", "zstd", "per checkpoint,"});
  table.Add({"state", "p50", "p99", "target", "in the cut", "wire", "ratio", "by the nodes"});
  const auto store = model::MakeService(snapshot::LargeStore());
  const auto log = model::MakeService(snapshot::LargeLog());
  const bool right = AddRows("key-value store", *store, plan.cuts, directory, table) &&
                     AddRows("log", *log, plan.cuts, directory, table);
  std::filesystem::remove_all(directory);
  out << (right ? table.Text(2) : "A CUT IS MISSING\n");
  return right;
}

}  // namespace foretell::bench
