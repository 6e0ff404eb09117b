// `scripts/bench sdk`: what checkpointing costs a saturated live cluster. Runs with checkpoints and
// an agent that polls every second take turns with runs without (ABBA), and each is compared with
// its neighbour, so that a busy machine slows both.

#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "integration/catalog.h"
#include "snapshot/rpc_client.h"
#include "tests/bench/paxos_cluster.h"
#include "tests/bench/statistics.h"
#include "tests/bench/text_table.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kLimitPercent = 3;
constexpr milliseconds kPollEvery(1000);
constexpr milliseconds kKickEvery(100);

struct Choices {
  int pairs = 20;
  int millis = 2000;
  uint32_t outstanding = 16;
};

struct Figures {
  double decided_per_second = 0;
  double cpu_micros = 0;    // Of everything, per decided index.
  double nodes_micros = 0;  // Of the nodes' own threads.
  double events_per_decided = 0;
  double cores = 0;  // In use on average.
  uint64_t checkpoints = 0;
};

std::unique_ptr<snapshot::RpcClient> StartAgent(PaxosCluster& cluster) {
  snapshot::RpcClient::Options options;
  for (uint32_t n = 0; n < 3; ++n) {
    options.nodes.push_back(
        {model::NodeId(n), *snapshot::ParseAddress(cluster.host(n).agent_address())});
  }
  options.interesting = [](model::NodeId) {};
  return std::move(*snapshot::RpcClient::Start(std::move(options)));
}

// Polls in the middle of each second, or of the whole time if that is less. Returns the number of
// checkpoints that came.
uint64_t Watch(PaxosCluster& cluster, snapshot::RpcClient* agent, milliseconds time) {
  const Clock::time_point begin = Clock::now();
  Clock::time_point poll = begin + std::min(kPollEvery, time) / 2;
  Clock::time_point kick = begin + kKickEvery;
  uint64_t checkpoints = 0;
  for (uint64_t number = 1; Clock::now() < begin + time;) {
    std::this_thread::sleep_until(std::min({poll, kick, begin + time}));
    if (Clock::now() >= kick) {
      cluster.Kick();
      kick += kKickEvery;
    }
    if (Clock::now() < poll) continue;
    poll += kPollEvery;
    if (agent == nullptr) continue;
    for (const auto& reply : agent->Collect(number++, kPollEvery)) {
      checkpoints += reply.checkpoint.ok() ? 1 : 0;
    }
  }
  return checkpoints;
}

absl::StatusOr<Figures> Measure(const model::System& system, bool on, const Choices& choices,
                                const std::string& directory) {
  auto cluster = PaxosCluster::Start(system, on, choices.outstanding, directory);
  if (!cluster.ok()) return cluster.status();
  const auto agent = on ? StartAgent(**cluster) : nullptr;
  const milliseconds time(choices.millis);
  Watch(**cluster, nullptr, time / 10);  // Until everything has been touched once.
  const PaxosCluster::Spent before = (*cluster)->Count();
  Figures figures;
  figures.checkpoints = Watch(**cluster, agent.get(), time);
  const PaxosCluster::Spent after = (*cluster)->Count();
  const auto decided = static_cast<double>(after.decided - before.decided);
  const double seconds = after.wall_seconds - before.wall_seconds;
  if (decided == 0) return absl::DeadlineExceededError("nothing was decided");
  figures.decided_per_second = decided / seconds;
  figures.cpu_micros = (after.cpu_seconds - before.cpu_seconds) * 1e6 / decided;
  figures.nodes_micros = (after.nodes_seconds - before.nodes_seconds) * 1e6 / decided;
  figures.events_per_decided = static_cast<double>(after.events - before.events) / decided;
  figures.cores = (after.cpu_seconds - before.cpu_seconds) / seconds;
  return figures;
}

using Runs = std::vector<Figures>;

std::vector<double> Column(const Runs& runs, double Figures::*figure) {
  std::vector<double> values;
  for (const Figures& run : runs) values.push_back(run.*figure);
  return values;
}

std::string Fixed(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

void PrintMedians(const Runs& off, const Runs& on) {
  TextTable table;
  table.Add({"", "decided", "processor time", "of nodes' own", "events", "cores", "checkpoints"});
  table.Add({"checkpoints", "per second", "per decided", "threads", "per decided", "in use",
             "collected"});
  for (const Runs* runs : {&off, &on}) {
    const auto median = [runs](double Figures::*figure) { return Median(Column(*runs, figure)); };
    uint64_t checkpoints = 0;
    for (const Figures& run : *runs) checkpoints += run.checkpoints;
    table.Add({runs == &on ? "on" : "off",
               Count(static_cast<uint64_t>(median(&Figures::decided_per_second))),
               Fixed(median(&Figures::cpu_micros), 2) + " us",
               Fixed(median(&Figures::nodes_micros), 2) + " us",
               Fixed(median(&Figures::events_per_decided), 1), Fixed(median(&Figures::cores), 2),
               Count(checkpoints)});
  }
  std::cout << table.Text(2) << "\n";
}

// By how many percent a figure changes from `off` to `on`: the median of pairs.
TextTable::Row Compare(const char* name, const Runs& off, const Runs& on, double Figures::*figure,
                       double sign) {
  std::vector<double> percent;
  for (size_t i = 0; i < off.size(); ++i) {
    percent.push_back(sign * 100 * (on[i].*figure / (off[i].*figure) - 1));
  }
  const Interval sure = MedianInterval(percent);
  return {name, Fixed(Median(percent), 2) + " %",
          Fixed(sure.low, 2) + " to " + Fixed(sure.high, 2) + " %",
          Fixed(Quantile(percent, 0.25), 2) + " to " + Fixed(Quantile(percent, 0.75), 2) + " %",
          "< " + Fixed(kLimitPercent, 0) + " %"};
}

int Report(const model::System& system, const Choices& choices) {
  std::string pattern = (std::filesystem::temp_directory_path() / "foretell-benchXXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  Runs runs[2];
  for (int run = 0; run < 2 * choices.pairs; ++run) {
    const bool on = run % 4 == 1 || run % 4 == 2;
    const auto figures = Measure(system, on, choices, directory);
    if (!figures.ok()) {
      std::cerr << figures.status() << "\n";
      return 1;
    }
    runs[on ? 1 : 0].push_back(*figures);
  }
  std::filesystem::remove_all(directory);
  std::cout << "Three live Paxos nodes in one process, UDP, " << choices.outstanding
            << " proposals under way; with checkpoints, an agent polls\nevery second. "
            << choices.pairs << " pairs of runs of " << choices.millis
            << " ms, off on on off; medians.\n\n";
  PrintMedians(runs[0], runs[1]);
  TextTable table;
  table.Add({"checkpoints on, against off", "median of", "95 % sure", "half of the", ""});
  table.Add({"", "pairs", "(bootstrap)", "pairs", "limit"});
  table.Add(Compare("throughput drops by", runs[0], runs[1], &Figures::decided_per_second, -1));
  table.Add(Compare("processor time rises by", runs[0], runs[1], &Figures::cpu_micros, 1));
  table.Add(Compare("... of nodes' own threads", runs[0], runs[1], &Figures::nodes_micros, 1));
  std::cout << table.Text(2) << std::flush;
  uint64_t collected = 0;
  for (const Figures& run : runs[1]) collected += run.checkpoints;
  return collected > 0 ? 0 : 1;
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  CLI::App app("What checkpointing costs a saturated Paxos cluster");
  foretell::bench::Choices choices;
  app.add_option("--pairs", choices.pairs, "Runs with and without")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--millis", choices.millis, "Time per run")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--outstanding", choices.outstanding, "Proposals under way at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 24));
  CLI11_PARSE(app, argc, argv);
  foretell::model::System system;
  for (const auto& family : foretell::integration::BuiltinServices()) {
    if (family->name() == "paxos") system = *family->Make("live", "");
  }
  return foretell::bench::Report(system, choices);
}
