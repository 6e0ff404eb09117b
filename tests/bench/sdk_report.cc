// `scripts/bench sdk`: what checkpointing costs a saturated live cluster. Two clusters live side by
// side, one with checkpoints and an agent that polls every second, one without. They take turns
// (ABBA) at being loaded, and each turn is compared with its neighbour: a machine that is busy with
// something else slows both, and the shorter the turns, the more alike.

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

#include "foretell/integration/catalog.h"
#include "foretell/snapshot/rpc/client.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/paxos_cluster.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kLimitPercent = 3;
constexpr milliseconds kPollEvery(1000);
constexpr milliseconds kKickEvery(100);

struct Choices {
  int pairs = 240;
  int millis = 250;
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

// A cluster, and who polls it, if anybody does.
struct Side {
  std::unique_ptr<PaxosCluster> cluster;
  std::unique_ptr<snapshot::RpcClient> agent;
  uint64_t polls = 0;
  milliseconds unpolled = kPollEvery;  // Time under load since the last poll; the first is due.
};

absl::StatusOr<Side> StartSide(const model::System& system, bool on, const Choices& choices,
                               const std::string& directory) {
  Side side;
  const std::string own = directory + (on ? "/on" : "/off");
  std::filesystem::create_directory(own);
  auto cluster = PaxosCluster::Start(system, on, choices.outstanding, own);
  if (!cluster.ok()) return cluster.status();
  side.cluster = *std::move(cluster);
  if (on) side.agent = StartAgent(*side.cluster);
  return side;
}

// Lets the cluster work.
void Wait(Side& side, milliseconds time) {
  const Clock::time_point end = Clock::now() + time;
  while (Clock::now() < end) {
    std::this_thread::sleep_until(std::min(end, Clock::now() + kKickEvery));
    side.cluster->Kick();
  }
}

// Returns the number of checkpoints that came.
uint64_t Poll(Side& side) {
  uint64_t checkpoints = 0;
  for (const auto& reply : side.agent->Collect(++side.polls, kPollEvery)) {
    checkpoints += reply.checkpoint.ok() ? 1 : 0;
  }
  return checkpoints;
}

absl::StatusOr<Figures> Turn(Side& side, milliseconds time) {
  side.cluster->Load();
  Wait(side, time / 10);  // Until everything has been touched once.
  const PaxosCluster::Spent before = side.cluster->Count();
  Figures figures;
  Wait(side, time / 2);
  side.unpolled += time;
  if (side.agent && side.unpolled >= kPollEvery) {
    side.unpolled -= kPollEvery;
    figures.checkpoints = Poll(side);
  }
  Wait(side, time / 2);
  const PaxosCluster::Spent after = side.cluster->Count();
  side.cluster->Unload();
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
  Table table;
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

// By how many percent a figure changes from `off` to `on`: of all turns together, so that those
// with a poll in them count as much as they cost.
Table::Row Compare(const char* name, const Runs& off, const Runs& on, double Figures::*figure,
                   double sign) {
  const Ratio ratio = RatioOfMeans(Column(on, figure), Column(off, figure));
  const auto percent = [sign](double value) { return sign * 100 * (value - 1); };
  const Interval sure{percent(sign > 0 ? ratio.sure.low : ratio.sure.high),
                      percent(sign > 0 ? ratio.sure.high : ratio.sure.low)};
  return {name, Fixed(percent(ratio.value), 2) + " %",
          Fixed(sure.low, 2) + " to " + Fixed(sure.high, 2) + " %",
          "< " + Fixed(kLimitPercent, 0) + " %"};
}

// runs[0] without, runs[1] with checkpoints.
absl::Status TakeTurns(const model::System& system, const Choices& choices,
                       const std::string& directory, Runs (&runs)[2]) {
  std::vector<Side> sides;
  for (const bool on : {false, true}) {
    auto side = StartSide(system, on, choices, directory);
    if (!side.ok()) return side.status();
    sides.push_back(*std::move(side));
  }
  for (int turn = 0; turn < 2 * choices.pairs; ++turn) {
    const size_t on = turn % 4 == 1 || turn % 4 == 2 ? 1 : 0;
    const auto figures = Turn(sides[on], milliseconds(choices.millis));
    if (!figures.ok()) return figures.status();
    runs[on].push_back(*figures);
  }
  return absl::OkStatus();
}

int Report(const model::System& system, const Choices& choices) {
  std::string pattern = (std::filesystem::temp_directory_path() / "foretell-benchXXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  Runs runs[2];
  const absl::Status status = TakeTurns(system, choices, directory, runs);
  std::filesystem::remove_all(directory);
  if (!status.ok()) {
    std::cerr << status << "\n";
    return 1;
  }
  std::cout << "Three live Paxos nodes in one process, UDP, " << choices.outstanding
            << " proposals under way; with checkpoints, an agent polls\nevery second. "
            << choices.pairs << " pairs of turns of " << choices.millis
            << " ms, off on on off; medians.\n\n";
  PrintMedians(runs[0], runs[1]);
  Table table;
  table.Add({"checkpoints on, against off", "of all", "95 % sure", ""});
  table.Add({"", "turns", "(bootstrap)", "limit"});
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
  app.add_option("--pairs", choices.pairs, "Turns with and without")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--millis", choices.millis, "Time per turn")
      ->capture_default_str()
      ->check(CLI::Range(50, 1000));
  app.add_option("--outstanding", choices.outstanding, "Proposals under way at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 24));
  CLI11_PARSE(app, argc, argv);
  const foretell::model::Catalog catalog = foretell::integration::BuiltinServices();
  const foretell::model::System system =
      *foretell::model::FindFamily(catalog, "paxos")->Make("live", "");
  return foretell::bench::Report(system, choices);
}
