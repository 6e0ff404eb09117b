// `scripts/bench guard`: what mode guard costs. First one proposal at a time: how long each event
// that changes what agreement sees is held. Then a saturated cluster, guarded and not: two clusters
// side by side that take turns (ABBA), so that whatever else the machine does slows both. With
// --busy, loops that do nothing run beside it.

#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/sidecar/steering/guard_desk.h"
#include "foretell/integration/catalog.h"
#include "foretell/tests/bench/busy_loops.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/paxos_cluster.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTimeout{5'000};

struct Choices {
  int pairs = 40;
  int millis = 250;
  int proposals = 500;
  int busy = 0;
  uint32_t outstanding = 16;
};

// An agent that guards agreement, and does nothing else.
class Guardian {
 public:
  Guardian(const model::Service& service, PaxosCluster& cluster)
      : log_(lines_, nullptr, [] { return agent::UnixTime{}; }),
        desk_({service, config_, log_, nullptr, "bench-"}) {
    snapshot::RpcClient::Options options;
    for (uint32_t n = 0; n < 3; ++n) {
      options.nodes.push_back(
          {model::NodeId(n), *snapshot::ParseAddress(cluster.host(n).agent_address())});
    }
    options.guardian = &desk_;
    client_ = *snapshot::RpcClient::Start(std::move(options));
    client_->SetGuard(desk_.terms());
  }
  bool AwaitAll() const {
    const auto give_up = Clock::now() + kTimeout;
    while (Clock::now() < give_up) {
      const auto status = desk_.status();
      if (std::all_of(status.not_guarded.begin(), status.not_guarded.end(),
                      [](const std::string& why) { return why.empty(); })) {
        return true;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }
  std::vector<snapshot::NodeCounters> Counters() {
    std::vector<snapshot::NodeCounters> all;
    for (const auto& counters : client_->Counters(kTimeout)) {
      all.push_back(counters.ok() ? *counters : snapshot::NodeCounters{});
    }
    return all;
  }

 private:
  static agent::Config MakeConfig() {
    agent::Config config;
    config.modes["agreement"] = snapshot::Mode::kGuard;
    return config;
  }
  const agent::Config config_ = MakeConfig();
  std::ostringstream lines_;
  agent::AgentLog log_;
  agent::GuardDesk desk_;
  std::unique_ptr<snapshot::RpcClient> client_;
};

struct Side {
  std::unique_ptr<PaxosCluster> cluster;
  std::unique_ptr<Guardian> guardian;  // Null: nobody guards it.
};

absl::StatusOr<Side> StartSide(const model::System& system, bool guarded, uint32_t outstanding,
                               const std::string& directory) {
  Side side;
  const std::string own = directory + (guarded ? "/guarded" : "/alone");
  std::filesystem::create_directory(own);
  auto cluster = PaxosCluster::Start(system, /*checkpoints=*/true, outstanding, own);
  if (!cluster.ok()) return cluster.status();
  side.cluster = *std::move(cluster);
  if (!guarded) return side;
  side.guardian = std::make_unique<Guardian>(*system.service, *side.cluster);
  if (side.guardian->AwaitAll()) return side;
  return absl::DeadlineExceededError("the nodes are not guarded");
}

// Microseconds for which single events were held, while one index after the other is decided.
absl::StatusOr<std::vector<double>> HoldsOf(const model::System& system, const Choices& choices,
                                            const std::string& directory) {
  std::vector<double> micros;
  const std::string own = directory + "/one";
  std::filesystem::create_directory(own);
  auto side = StartSide(system, true, 1, own);
  if (!side.ok()) return side.status();
  auto before = side->guardian->Counters();
  side->cluster->Load();
  const auto give_up = Clock::now() + std::chrono::minutes(2);
  while (micros.size() < static_cast<size_t>(choices.proposals) && Clock::now() < give_up) {
    side->cluster->Kick();
    const auto now = side->guardian->Counters();
    for (size_t n = 0; n < now.size(); ++n) {
      const uint64_t events = now[n].guard_asked - before[n].guard_asked;
      // The mean of the few since the last look.
      if (events == 0 || now[n].guard_nanos < before[n].guard_nanos) continue;
      micros.push_back(static_cast<double>(now[n].guard_nanos - before[n].guard_nanos) / 1e3 /
                       static_cast<double>(events));
    }
    before = now;
  }
  side->cluster->Unload();
  if (micros.empty()) return absl::DeadlineExceededError("no event was held");
  return micros;
}

struct Turns {
  std::vector<double> decided;  // Per second.
  std::vector<double> cpu;      // Microseconds per decided index.
};

absl::Status Turn(Side& side, milliseconds time, Turns& turns) {
  side.cluster->Load();
  const auto wait = [&](milliseconds span) {
    const auto end = Clock::now() + span;
    while (Clock::now() < end) {
      std::this_thread::sleep_until(std::min(end, Clock::now() + milliseconds(100)));
      side.cluster->Kick();
    }
  };
  wait(time / 10);
  const PaxosCluster::Spent before = side.cluster->Count();
  wait(time);
  const PaxosCluster::Spent after = side.cluster->Count();
  side.cluster->Unload();
  const auto decided = static_cast<double>(after.decided - before.decided);
  if (decided == 0) return absl::DeadlineExceededError("nothing was decided");
  turns.decided.push_back(decided / (after.wall_seconds - before.wall_seconds));
  turns.cpu.push_back((after.cpu_seconds - before.cpu_seconds) * 1e6 / decided);
  return absl::OkStatus();
}

std::string Fixed(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

absl::Status Print(const model::System& system, const Choices& choices,
                   const std::string& directory) {
  const auto holds = HoldsOf(system, choices, directory);
  if (!holds.ok()) return holds.status();
  Side sides[2];
  for (const bool guarded : {false, true}) {
    auto side = StartSide(system, guarded, choices.outstanding, directory);
    if (!side.ok()) return side.status();
    sides[guarded ? 1 : 0] = *std::move(side);
  }
  Turns turns[2];
  for (int turn = 0; turn < 2 * choices.pairs; ++turn) {
    const size_t on = turn % 4 == 1 || turn % 4 == 2 ? 1 : 0;
    const absl::Status status = Turn(sides[on], milliseconds(choices.millis), turns[on]);
    if (!status.ok()) return status;
  }
  snapshot::NodeCounters total;
  for (const auto& counters : sides[1].guardian->Counters()) {
    total.guard_asked += counters.guard_asked;
    total.guard_refused += counters.guard_refused;
    total.guard_expired += counters.guard_expired;
    total.guard_nanos += counters.guard_nanos;
  }
  Table table;
  table.Add({"agreement", "decided", "processor time", "held", "refused", "expired", "held for"});
  table.Add({"", "per second", "per decided", "events", "", "", "mean"});
  for (const size_t on : {0, 1}) {
    table.Add({on == 1 ? "guarded" : "not guarded",
               Count(static_cast<uint64_t>(Median(turns[on].decided))),
               Fixed(Median(turns[on].cpu), 1) + " us", on == 1 ? Count(total.guard_asked) : "",
               on == 1 ? Count(total.guard_refused) : "", on == 1 ? Count(total.guard_expired) : "",
               on == 1 && total.guard_asked > 0
                   ? Fixed(static_cast<double>(total.guard_nanos) / 1e3 /
                               static_cast<double>(total.guard_asked),
                           0) +
                         " us"
                   : ""});
  }
  const Ratio ratio = RatioOfMeans(turns[1].decided, turns[0].decided);
  std::cout << "Three live Paxos nodes in one process, UDP, no store; " << choices.busy
            << " busy loops beside them.\n\nOne proposal at a time: an event is held for "
            << Fixed(Quantile(*holds, 0.5), 0) << " us (p50), " << Fixed(Quantile(*holds, 0.99), 0)
            << " us (p99) of " << holds->size() << " looks.\n\nSaturated, " << choices.outstanding
            << " proposals under way, " << choices.pairs << " pairs of turns of " << choices.millis
            << " ms:\n\n"
            << table.Text(2) << "\nGuarded, " << Fixed(100 * ratio.value, 1)
            << " % of the throughput is left (95 % sure: " << Fixed(100 * ratio.sure.low, 1)
            << " to " << Fixed(100 * ratio.sure.high, 1) << ").\n";
  return total.guard_asked > 0 ? absl::OkStatus()
                               : absl::DeadlineExceededError("no event was held");
}

int Report(const model::System& system, const Choices& choices) {
  std::string pattern = (std::filesystem::temp_directory_path() / "foretell-benchXXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  absl::Status status;
  {
    const BusyLoops loops(choices.busy);
    status = Print(system, choices, directory);
  }
  std::filesystem::remove_all(directory);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  CLI::App app("What mode guard costs");
  foretell::bench::Choices choices;
  app.add_option("--pairs", choices.pairs, "Turns with and without")->check(CLI::PositiveNumber);
  app.add_option("--millis", choices.millis, "Time per turn")->check(CLI::Range(50, 1000));
  app.add_option("--proposals", choices.proposals, "Looks at single events")
      ->check(CLI::PositiveNumber);
  app.add_option("--busy", choices.busy, "Loops beside it")->check(CLI::Range(0, 64));
  app.add_option("--outstanding", choices.outstanding, "Proposals under way")
      ->check(CLI::Range(1, 24));
  CLI11_PARSE(app, argc, argv);
  const foretell::model::Catalog catalog = foretell::integration::BuiltinServices();
  const foretell::model::System system =
      *foretell::model::FindFamily(catalog, "paxos")->Make("live", "");
  return foretell::bench::Report(system, choices);
}
