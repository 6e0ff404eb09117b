// Time alone must not wear an agent out. FORETELL_SOAK_SECONDS makes it longer.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/demo/workload.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/tests/live/live_agent.h"

namespace foretell::live {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono_literals::operator""ms;

std::chrono::seconds SoakTime() {
  const char* text = std::getenv("FORETELL_SOAK_SECONDS");
  return std::chrono::seconds(text == nullptr ? 60 : std::atoi(text));
}

uint64_t ResidentBytes(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/statm"));
  uint64_t total = 0;
  uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// What a process holds, looked at time and again. A look can fall into the middle of a search,
// which holds some tens of MiB, or soon after a large one, before all of it was given back; at
// times most looks do. What leaks is there always.
class Memory {
 public:
  void Look(pid_t pid) { samples_.push_back(ResidentBytes(pid)); }
  // The least in one of the three thirds of the time.
  uint64_t Third(size_t which) const {
    const size_t count = samples_.size() / 3;
    if (count == 0) return 0;
    const auto begin = samples_.begin() + static_cast<std::ptrdiff_t>(which * count);
    return *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  uint64_t most() const { return *std::max_element(samples_.begin(), samples_.end()); }

 private:
  std::vector<uint64_t> samples_;
};

// What the agent says between two calls; counts rounds and looks for gaps.
struct Rounds {
  uint64_t last = 0;
  uint64_t lost = 0;
  uint64_t alarms = 0;
  void Hear(const std::string& line) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    if (event.value("event", "") == "foretell.violation.predicted") ++alarms;
    if (event.value("event", "") != "foretell.round") return;
    const uint64_t round = event.value("round", uint64_t{0});
    lost += round - last - 1;
    last = round;
  }
};

TEST(LiveSoakTest, MemoryStaysFlatAndNoRoundIsLost) {
  LiveCluster cluster({.node_flags = {"--loss", "0.1", "--delay", "1ms..5ms"}});
  const std::string archive = cluster.folder.path() + "/cuts.ftl";
  LiveAgent agent(cluster.folder.path(),
                  cluster.Config("[archive]\npath = \"" + archive + "\"\nsize_max = \"1GiB\"\n"));
  agent::Workload workload({.call = "Propose", .pause_min = 20ms, .pause_max = 60ms});
  const auto time = SoakTime();
  const Clock::time_point begin = Clock::now();
  Rounds rounds;
  Memory memory;
  uint64_t answered = 0;
  while (Clock::now() < begin + time) {
    if (workload.Next(*cluster.nodes).answer.starts_with("ok")) ++answered;
    memory.Look(agent.process().pid());
    const Clock::time_point next = Clock::now() + workload.pause();
    while (Clock::now() < next) {
      const auto line = agent.process().ReadLine(
          std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()));
      if (line.ok()) rounds.Hear(*line);
      ASSERT_FALSE(absl::IsOutOfRange(line.status())) << agent.log();
    }
  }
  // The first third warms up caches that are bounded, but not small.
  const uint64_t early = memory.Third(1);
  const uint64_t late = memory.Third(2);
  EXPECT_LT(late, early + early / 4 + (8 << 20)) << "grew from " << early;
  EXPECT_EQ(rounds.lost, 0u);
  EXPECT_EQ(rounds.alarms, 0u) << agent.log();
  EXPECT_GE(rounds.last, static_cast<uint64_t>(time.count())) << "at least one a second";
  EXPECT_GT(answered, workload.calls() * 9 / 10);
  const auto reader = snapshot::ArchiveReader::Open(archive);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_GE((*reader)->entries().size() + 2, rounds.last);
  for (const snapshot::Loss& loss : (*reader)->lost()) EXPECT_TRUE(loss.tail) << loss.why;
  for (const auto& entry : (*reader)->entries()) ASSERT_TRUE((*reader)->Load(entry).ok());
  RecordProperty("rounds", static_cast<int>(rounds.last));
  std::cout << rounds.last << " rounds, " << answered << " calls, memory " << (early >> 20)
            << " MiB early, " << (late >> 20) << " MiB late, " << (memory.most() >> 20)
            << " MiB at most\n";
}

}  // namespace
}  // namespace foretell::live
