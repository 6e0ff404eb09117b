// What checkpointing costs a live cluster: three Paxos nodes in this process, on real sockets, each
// with clients that propose as fast as they can; with checkpoints and an agent that polls every
// second, against without. Runs of both kinds take turns, so that a busy machine slows both.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "integration/catalog.h"
#include "integration/sdk/host.h"
#include "snapshot/rpc_client.h"

namespace foretell {
namespace {

using Clock = std::chrono::steady_clock;
using integration::sdk::Host;
using integration::sdk::HostOptions;
using model::NodeId;

struct Figures {
  double decided_per_second = 0;
  double events_per_second = 0;
  double cpu_per_event_nanos = 0;
  uint64_t cuts = 0;
};

double CpuSeconds() {
  struct timespec spent = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

class Run {
 public:
  Run(const model::System& system, bool checkpoints, std::string directory)
      : system_(system), checkpoints_(checkpoints), directory_(std::move(directory)) {}

  absl::StatusOr<Figures> Measure(std::chrono::milliseconds time) {
    for (uint32_t n = 0; n < 3; ++n) {
      auto host = Open(n);
      if (!host.ok()) return host.status();
      hosts_.push_back(*std::move(host));
    }
    std::vector<std::string> peers;
    for (const auto& host : hosts_) peers.push_back(host->listen_address());
    std::vector<std::thread> threads;
    for (const auto& host : hosts_) {
      threads.emplace_back([&host = *host] { static_cast<void>(host.Run()); });
      host->Execute("peers " + absl::StrJoin(peers, ","), [](const std::string&) {});
    }
    // One proposer: two would only get in each other's way.
    Propose();
    const Figures figures = Watch(time);
    for (const auto& host : hosts_) host->Stop();
    for (std::thread& thread : threads) thread.join();
    hosts_.clear();
    return figures;
  }

 private:
  absl::StatusOr<std::unique_ptr<Host>> Open(uint32_t n) const {
    HostOptions options;
    options.service = "paxos";
    options.node = NodeId(n);
    options.start = system_.start.nodes[n].body;
    options.checkpoints = checkpoints_;
    options.agent = snapshot::Address{.path = absl::StrCat(directory_, "/", n, ".sock")};
    options.now = [] { return Clock::now(); };
    return Host::Open(*system_.service, std::move(options));
  }

  // A closed loop on the node's own thread: the next index can be proposed once the last is
  // decided. If a datagram was lost on the way, it never is; then the last one is proposed again.
  void Propose() {
    const bool again = waited_ > 20'000;
    if (again) waited_ = 0;
    hosts_[0]->Execute(
        again ? "call Propose" : absl::StrCat("call Propose(index=", decided_.load(), ")"),
        [this, again](const std::string& answer) {
          const bool next = !again && answer.starts_with("ok");
          decided_ += next ? 1 : 0;
          waited_ = next ? 0 : waited_ + 1;
          Propose();
        });
  }

  Figures Watch(std::chrono::milliseconds time) {
    std::unique_ptr<snapshot::RpcClient> agent;
    if (checkpoints_) {
      snapshot::RpcClient::Options options;
      for (uint32_t n = 0; n < 3; ++n) {
        options.nodes.push_back({NodeId(n), *snapshot::ParseAddress(hosts_[n]->agent_address())});
      }
      options.interesting = [](NodeId) {};
      agent = std::move(*snapshot::RpcClient::Start(std::move(options)));
    }
    const Clock::time_point begin = Clock::now();
    const double cpu = CpuSeconds();
    const uint64_t decided = decided_;
    const uint64_t events = Events();
    Figures figures;
    for (uint64_t second = 1; Clock::now() < begin + time; ++second) {
      if (agent) {
        for (const auto& reply : agent->Collect(second, std::chrono::seconds(1))) {
          figures.cuts += reply.checkpoint.ok() ? 1 : 0;
        }
      }
      std::this_thread::sleep_until(std::min(begin + std::chrono::seconds(second), begin + time));
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto handled = static_cast<double>(Events() - events);
    figures.decided_per_second = static_cast<double>(decided_ - decided) / seconds;
    figures.events_per_second = handled / seconds;
    figures.cpu_per_event_nanos = (CpuSeconds() - cpu) * 1e9 / handled;
    return figures;
  }

  uint64_t Events() {
    std::mutex mutex;
    std::condition_variable answered;
    uint64_t events = 0;
    int left = 3;
    for (const auto& host : hosts_) {
      host->endpoint().Counters([&](const snapshot::NodeCounters& counters) {
        const std::lock_guard lock(mutex);
        events += counters.events;
        if (--left == 0) answered.notify_one();
      });
    }
    std::unique_lock lock(mutex);
    answered.wait(lock, [&left] { return left == 0; });
    return events;
  }

  const model::System& system_;
  const bool checkpoints_;
  const std::string directory_;
  std::vector<std::unique_ptr<Host>> hosts_;
  std::atomic<uint64_t> decided_ = 0;
  uint64_t waited_ = 0;  // Polls since the last proposal.
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int Report(const model::System& system, int pairs, std::chrono::milliseconds time) {
  std::string pattern = (std::filesystem::temp_directory_path() / "foretell-benchXXXXXX").string();
  const std::string directory = mkdtemp(pattern.data());
  std::vector<Figures> figures[2];
  for (int pair = 0; pair < pairs; ++pair) {
    for (int turn = 0; turn < 2; ++turn) {
      const bool on = (pair + turn) % 2 == 1;
      const auto measured = Run(system, on, directory).Measure(time);
      if (!measured.ok()) {
        std::cerr << measured.status() << "\n";
        return 1;
      }
      figures[on ? 1 : 0].push_back(*measured);
    }
  }
  std::filesystem::remove_all(directory);
  std::printf("checkpoints  decided/s  events/s  CPU ns/event  checkpoints collected\n");
  double medians[2] = {};
  for (int on = 0; on < 2; ++on) {
    std::vector<double> decided;
    std::vector<double> events;
    std::vector<double> cpu;
    uint64_t cuts = 0;
    for (const Figures& one : figures[on]) {
      decided.push_back(one.decided_per_second);
      events.push_back(one.events_per_second);
      cpu.push_back(one.cpu_per_event_nanos);
      cuts += one.cuts;
    }
    medians[on] = Median(decided);
    std::printf("%-11s  %9.0f  %8.0f  %12.0f  %llu\n", on == 1 ? "on" : "off", medians[on],
                Median(events), Median(cpu), static_cast<unsigned long long>(cuts));
  }
  std::vector<double> drops;
  for (int pair = 0; pair < pairs; ++pair) {
    const auto at = static_cast<size_t>(pair);
    drops.push_back(100 *
                    (1 - figures[1][at].decided_per_second / figures[0][at].decided_per_second));
  }
  std::printf("throughput drops by %.1f %% (median of %d pairs; limit 3 %%)\n", Median(drops),
              pairs);
  // A machine that is too slow to decide anything has shown nothing.
  return medians[0] > 0 && medians[1] > 0 ? 0 : 1;
}

}  // namespace
}  // namespace foretell

int main(int argc, char** argv) {
  CLI::App app("What checkpointing costs a saturated Paxos cluster");
  int pairs = 5;
  int millis = 5000;
  app.add_option("--pairs", pairs, "Runs with and without")->check(CLI::PositiveNumber);
  app.add_option("--millis", millis, "Time per run")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  foretell::model::System system;
  for (const auto& family : foretell::integration::BuiltinServices()) {
    if (family->name() == "paxos") system = *family->Make("live", "");
  }
  return foretell::Report(system, pairs, std::chrono::milliseconds(millis));
}
