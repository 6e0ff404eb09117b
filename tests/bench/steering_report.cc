// `scripts/bench steering`: the race that mode enforce is. Real Paxos processes with a planted bug,
// a lossy network, calls that wait for nobody, and an agent with the pace that it has by default.

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/demo/demo_run.h"
#include "foretell/integration/catalog.h"
#include "foretell/tests/bench/busy_loops.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

using std::chrono::milliseconds;

constexpr const char* kBug = "last-response";

struct Choices {
  std::string program;
  int runs = 40;
  int calls = 20;
  int busy = 0;
};

// What an agent says, read by a thread of its own so that it never waits for us.
class Ear {
 public:
  explicit Ear(agent::ChildProcess& agent) : agent_(agent), thread_([this] { Listen(); }) {}
  ~Ear() {
    stop_ = true;
    thread_.join();
  }
  uint64_t rounds() const { return rounds_; }
  // Milliseconds from a cut to the alert about it, when its vetoes were in place. Call it at the
  // end.
  const std::vector<double>& latencies() const { return latencies_; }

 private:
  void Listen() {
    while (!stop_) {
      const auto line = agent_.ReadLine(milliseconds(20));
      if (absl::IsOutOfRange(line.status())) return;
      const auto event = nlohmann::json::parse(line.ok() ? *line : "", nullptr, false);
      if (!event.is_object()) continue;
      const std::string name = event.value("event", "");
      if (name == "foretell.round") ++rounds_;
      if (name != "foretell.violation.predicted" || event.value("plan", "").empty()) continue;
      latencies_.push_back(event.value("latency_ms", 0.0));
    }
  }

  agent::ChildProcess& agent_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> rounds_ = 0;
  std::vector<double> latencies_;
  std::thread thread_;  // Last: it uses all of the above.
};

struct Race {
  bool violated = false;
  uint64_t vetoed = 0;     // Events, by filters and by
  uint64_t immediate = 0;  // the nodes' own check.
  std::vector<double> latencies;
};

absl::StatusOr<Race> Run(const Choices& choices, const model::Service& judge, uint64_t seed,
                         bool steered, const std::string& folder) {
  auto cluster = agent::Cluster::Start({.program = choices.program,
                                        .folder = folder,
                                        .service = "paxos",
                                        .bug = kBug,
                                        .seed = seed,
                                        .node_flags = {"--loss", "0.3", "--delay", "2ms..40ms"}});
  if (!cluster.ok()) return cluster.status();
  auto agent = (*cluster)->StartAgent(
      absl::StrCat("[invariants]\ndefault = \"", steered ? "enforce" : "observe", "\"\n"));
  if (!agent.ok()) return agent.status();
  Race race;
  auto ear = std::make_unique<Ear>(**agent);
  while (ear->rounds() == 0 && (*agent)->Running()) std::this_thread::sleep_for(milliseconds(5));
  agent::Workload workload({.seed = seed, .call = "Propose"});
  for (int call = 0; call < choices.calls && !race.violated; ++call) {
    workload.Next(**cluster);
    std::this_thread::sleep_for(workload.pause());
    race.violated = agent::FindBrokenPair(**cluster, judge).has_value();
  }
  (*agent)->Signal(SIGTERM);
  static_cast<void>((*agent)->Wait(std::chrono::minutes(1)));
  race.latencies = ear->latencies();
  const auto vetoed = (*cluster)->Total("vetoed");
  const auto immediate = (*cluster)->Total("immediate-vetoed");
  if (!vetoed.ok() || !immediate.ok()) return vetoed.ok() ? immediate.status() : vetoed.status();
  race.immediate = *immediate;
  race.vetoed = *vetoed - *immediate;
  return race;
}

std::string Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return kNoFigure;
  return absl::StrCat(part, " of ", whole, " (", 100 * part / whole, " %)");
}

absl::Status Report(const Choices& choices, const std::string& directory) {
  const auto catalog = integration::BuiltinServices();
  const auto system = model::FindFamily(catalog, "paxos")->Make("live", kBug);
  if (!system.ok()) return system.status();
  uint64_t violated[2] = {};
  uint64_t by_filter = 0;
  uint64_t by_check = 0;
  std::vector<double> latencies;
  for (int run = 0; run < choices.runs; ++run) {
    for (const bool steered : {false, true}) {
      const std::string folder = absl::StrCat(directory, "/", run, steered ? "s" : "o");
      std::filesystem::create_directory(folder);
      const auto race =
          Run(choices, *system->service, static_cast<uint64_t>(run) + 1, steered, folder);
      if (!race.ok()) return race.status();
      violated[steered ? 1 : 0] += race->violated ? 1 : 0;
      if (!steered) continue;
      // As CrystalBall counts: whoever stops something first is who has avoided it.
      if (!race->violated && race->vetoed > 0) ++by_filter;
      if (!race->violated && race->vetoed == 0 && race->immediate > 0) ++by_check;
      latencies.insert(latencies.end(), race->latencies.begin(), race->latencies.end());
    }
  }
  const auto runs = static_cast<uint64_t>(choices.runs);
  const uint64_t threatened = by_filter + by_check + violated[1];
  std::cout << "Three live Paxos processes with bug " << kBug << ", 30 % loss, " << choices.calls
            << " calls that wait for nobody; " << choices.busy << " busy loops beside them.\n\n";
  Table table;
  table.Add({"of the runs", "here", "CrystalBall"});
  table.Add({"violated, nobody steers", Share(violated[0], runs), ""});
  table.Add({"violated although enforced", Share(violated[1], runs), ""});
  table.Add({"threatened, avoided by a veto", Share(by_filter, threatened), "74 % / 89 %"});
  table.Add({"... by the immediate check alone", Share(by_check, threatened), "25 % / 7 %"});
  table.Add({"... missed", Share(violated[1], threatened), "1 % / 4 %"});
  std::cout << table.Text(1);
  if (latencies.empty()) return absl::OkStatus();
  std::cout << "\nFrom the cut until the vetoes are in place: " << Quantile(latencies, 0.5)
            << " ms (p50), " << Quantile(latencies, 0.99) << " ms (p99) of " << latencies.size()
            << ".\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  CLI::App app("How often enforcing wins its race");
  foretell::bench::Choices choices;
  app.add_option("--program", choices.program, "foretell")->required();
  app.add_option("--runs", choices.runs, "Each with and without")->check(CLI::PositiveNumber);
  app.add_option("--calls", choices.calls, "Of one run at most")->check(CLI::PositiveNumber);
  app.add_option("--busy", choices.busy, "Loops beside it")->check(CLI::Range(0, 64));
  CLI11_PARSE(app, argc, argv);
  std::string pattern = (std::filesystem::temp_directory_path() / "ftsteer-XXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  absl::Status status;
  {
    const foretell::bench::BusyLoops loops(choices.busy);
    status = foretell::bench::Report(choices, directory);
  }
  std::filesystem::remove_all(directory);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
