// Rounds alone must not wear an agent out. FORETELL_SOAK_ROUNDS makes it longer.

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

uint64_t SoakRounds() {
  const char* text = std::getenv("FORETELL_SOAK_ROUNDS");
  return text == nullptr ? 1000 : std::strtoull(text, nullptr, 10);
}

// What the agent has allocated after each round, as it says itself. What the process holds besides
// is what its allocator keeps, which is a matter of how its threads took turns, and so of the load.
class Memory {
 public:
  void Add(uint64_t bytes) { samples_.push_back(bytes); }
  // The least in one of the three thirds of the rounds: what leaks is there always.
  uint64_t Third(size_t which) const {
    const size_t count = samples_.size() / 3;
    if (count == 0) return 0;
    const auto begin = samples_.begin() + static_cast<std::ptrdiff_t>(which * count);
    return *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(count));
  }

 private:
  std::vector<uint64_t> samples_;
};

// What the agent says between calls; counts rounds and looks for gaps.
struct Rounds {
  uint64_t last = 0;
  uint64_t lost = 0;
  uint64_t alarms = 0;
  Memory allocated;
  uint64_t resident_most = 0;
  // Whether `line` is a round.
  bool OnLine(const std::string& line) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) return false;
    const std::string name = event.value("event", "");
    if (name == "foretell.violation.predicted" || name == "foretell.violation.happened") ++alarms;
    if (event.value("event", "") != "foretell.round") return false;
    const uint64_t round = event.value("round", uint64_t{0});
    // Before the first there may have been some in which no node was connected yet.
    if (last != 0) lost += round - last - 1;
    last = round;
    allocated.Add(event["memory"].value("allocated", uint64_t{0}));
    resident_most = std::max(resident_most, event["memory"].value("resident", uint64_t{0}));
    return true;
  }
};

TEST(LiveSoakTest, MemoryStaysFlatAndNoRoundIsLost) {
  LiveCluster cluster({.node_flags = {"--loss", "0.1", "--delay", "5ms..40ms"}});
  const std::string archive = cluster.folder.path() + "/cuts.ftl";
  // Searches of so many steps, however long they take: how much one holds is not what is looked at,
  // and must not depend on how much processor it gets.
  LiveAgent agent(cluster.folder.path(),
                  cluster.nodes->AgentConfig(
                      "[rounds]\nperiod = \"100ms\"\nbudget = \"60s\"\nsteps_max = 2000\n"
                      "collect_timeout = \"10m\"\n"
                      "[archive]\npath = \"" +
                      archive + "\"\nsize_max = \"1GiB\"\n"));
  agent::Workload workload({.call = "Propose"});
  Rounds rounds;
  uint64_t answered = 0;
  while (rounds.last < SoakRounds()) {
    for (int i = 0; i < 3; ++i) {
      if (workload.Next(*cluster.nodes).answer.starts_with("ok")) ++answered;
    }
    ASSERT_TRUE(agent.WaitFor([&](const std::string& line) { return rounds.OnLine(line); }))
        << agent.log();
  }
  // The first third warms up caches that are bounded, but not small.
  const uint64_t early = rounds.allocated.Third(1);
  const uint64_t late = rounds.allocated.Third(2);
  ASSERT_GT(early, 0u);
  EXPECT_LT(late, early + early / 4 + (1 << 20)) << "grew from " << early;
  EXPECT_EQ(rounds.lost, 0u);
  EXPECT_EQ(rounds.alarms, 0u) << agent.log();
  EXPECT_GT(answered, workload.calls() * 9 / 10);
  const auto reader = snapshot::ArchiveReader::Open(archive);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_GE((*reader)->entries().size() + 2, rounds.last);
  for (const snapshot::Loss& loss : (*reader)->lost()) EXPECT_TRUE(loss.tail) << loss.why;
  for (const auto& entry : (*reader)->entries()) ASSERT_TRUE((*reader)->Load(entry).ok());
  RecordProperty("rounds", static_cast<int>(rounds.last));
  std::cout << rounds.last << " rounds, " << answered << " calls, allocated " << (early >> 10)
            << " KiB early, " << (late >> 10) << " KiB late, resident at most "
            << (rounds.resident_most >> 20) << " MiB\n";
}

// Two agents on one cluster, of which one guards it: neither wears out, or costs the other a round.
TEST(LiveSoakTest, OfTwoAgentsOneGuardsAndNeitherGrows) {
  LiveCluster cluster({.node_flags = {"--loss", "0.1", "--delay", "5ms..40ms"}});
  const std::string pace =
      "[rounds]\nperiod = \"100ms\"\nbudget = \"60s\"\nsteps_max = 2000\n"
      "collect_timeout = \"10m\"\n";
  // A hold that ends because the machine is slow is no matter of this test.
  const std::string guard =
      "[invariants]\nagreement = \"guard\"\n[veto]\nhold = \"10s\"\n[agent]\nname = \"guard\"\n";
  const RunFolder other;
  LiveAgent guardian(cluster.folder.path(), cluster.nodes->AgentConfig(pace + guard));
  LiveAgent watcher(other.path(), cluster.nodes->AgentConfig(pace));
  ASSERT_TRUE(guardian.WaitForLog("guard: all nodes are guarded")) << guardian.log();
  agent::Workload workload({.call = "Propose"});
  Rounds guarded;
  Rounds watched;
  const uint64_t wanted = std::max<uint64_t>(SoakRounds() / 4, 60);
  uint64_t answered = 0;
  while (std::min(guarded.last, watched.last) < wanted) {
    for (int i = 0; i < 2; ++i) {
      if (workload.Next(*cluster.nodes).answer.starts_with("ok")) ++answered;
    }
    // Whoever is behind sets the pace, and the other is listened to, so that it does not wait.
    LiveAgent& behind = guarded.last < watched.last ? guardian : watcher;
    Rounds& rounds = &behind == &guardian ? guarded : watched;
    ASSERT_TRUE(behind.WaitFor([&](const std::string& line) { return rounds.OnLine(line); }))
        << behind.log();
  }
  for (const Rounds* const rounds : {&guarded, &watched}) {
    const uint64_t early = rounds->allocated.Third(1);
    const uint64_t late = rounds->allocated.Third(2);
    ASSERT_GT(early, 0u);
    EXPECT_LT(late, early + early / 4 + (1 << 20)) << "grew from " << early;
    EXPECT_EQ(rounds->lost, 0u);
    EXPECT_EQ(rounds->alarms, 0u);
    std::cout << (rounds == &guarded ? "guard: " : "observe: ") << rounds->last
              << " rounds, allocated " << (early >> 10) << " KiB early, " << (late >> 10)
              << " KiB late\n";
  }
  EXPECT_GT(answered, workload.calls() * 9 / 10);
  const auto asked = cluster.nodes->Total("guard-asked");
  ASSERT_TRUE(asked.ok()) << asked.status();
  EXPECT_GT(*asked, 0u);
}

}  // namespace
}  // namespace foretell::live
