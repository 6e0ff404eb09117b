// Debian's libraft 0.15.0: the bugs are the library's own. First of all, a leader counts an entry
// for a follower that only has another one, left over, at the same index.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

#include "foretell/integration/raft/family.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

struct Found {
  const char* scenario;
  const char* engine;
  std::map<std::string, size_t> broken;  // The length of the path for each.
  uint64_t states;                       // Node states of lmc, else global states.
};

void PrintTo(const Found& f, std::ostream* out) { *out << f.scenario << ' ' << f.engine; }

std::string NameOf(const testing::TestParamInfo<Found>& info) {
  std::string name = std::string(info.param.scenario) + "_" + info.param.engine;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

class LibraftTest : public testing::TestWithParam<Found> {};

TEST_P(LibraftTest, BreaksWhatItBreaksAndNothingElse) {
  const Found& found = GetParam();
  const model::System system = MakeOrDie(integration::raft::Family(), found.scenario);
  predictors::EngineOptions options;
  options.all_invariants = true;
  options.assertions = lmc::Assertions::kVerify;
  options.minimise = false;  // The states are counted.
  const model::Report report = Explore(*system.service, system.start, found.engine, options);
  EXPECT_TRUE(report.complete);
  std::map<std::string, size_t> broken;
  for (const model::Violation& violation : report.violations) {
    broken[violation.invariant] = violation.path.size();
    // Who leaves his own memory may die of it, or get away with it.
    const bool tame = violation.invariant != model::kLocalAssertions;
    EXPECT_THAT(
        integration::raft::Family().SecondOpinion(found.scenario, "", violation),
        testing::Optional(testing::AnyOf(testing::StartsWith("confirmed: "),
                                         testing::StartsWith(tame ? "confirmed: " : "cannot "))));
  }
  EXPECT_EQ(broken, found.broken);
  const bool local = std::string(found.engine).find("lmc") == 0;
  EXPECT_EQ(local ? report.stats.node_states : report.stats.global_states, found.states);
}

using Broken = std::map<std::string, size_t>;
const Broken kTail = {{"committed-on-a-majority", 12}};
const Broken kTailInOrder = {{"committed-on-a-majority", 15}};
const Broken kTailEarly = {{"match-is-held", 11}, {"committed-on-a-majority", 12}};
// A leader whose write failed drops the entry, which it has sent, and uses its index and term for
// another; and if two writes fail, it would write outside of its log.
const Broken kDisk = {
    {"local-assertions", 7}, {"log-matching", 9}, {"committed-on-a-majority", 12}};
// With a heartbeat after that, followers apply what they have.
Broken ToldOfIt(size_t assertion) {
  return {{"local-assertions", assertion},
          {"log-matching", 9},
          {"committed-on-a-majority", 12},
          {"leader-completeness", 14},
          {"state-machine-safety", 14}};
}

// The paths of `global` are the shortest there are. The rest is pinned: if it moves, coverage
// moved.
INSTANTIATE_TEST_SUITE_P(
    Bugs, LibraftTest,
    testing::Values(
        Found{"two-elections", "global", kTail, 485'540},
        Found{"two-elections", "por", kTail, 36'165}, Found{"two-elections", "lmc", kTail, 1'403},
        Found{"two-elections-streams", "global", kTailInOrder, 52'714},
        Found{"two-elections-streams", "por", {{"committed-on-a-majority", 16}}, 15'479},
        Found{"two-elections-streams", "lmc", {{"committed-on-a-majority", 16}}, 1'403},
        Found{"early-warning", "global", kTailEarly, 485'540},
        Found{"early-warning", "por", kTailEarly, 36'441},
        Found{"early-warning", "lmc", kTailEarly, 1'403}, Found{"disk", "global", kDisk, 99'597},
        Found{"disk", "por", kDisk, 68'097}, Found{"disk", "lmc", kDisk, 674},
        Found{"disk-streams", "global", ToldOfIt(7), 65'184},
        Found{"disk-streams", "por", ToldOfIt(8), 42'149},
        Found{"disk-streams", "lmc", ToldOfIt(8), 1'562},
        // The control: without the cause nothing is broken.
        Found{"verified-tail", "global", {}, 447'236}, Found{"verified-tail", "por", {}, 30'165},
        Found{"verified-tail", "lmc", {}, 1'371}, Found{"one-election", "global", {}, 26'417},
        Found{"one-election", "por", {}, 5'747}, Found{"one-election", "lmc", {}, 158},
        Found{"restart", "global", {}, 467'033}, Found{"restart", "por", {}, 106'619},
        Found{"restart", "lmc", {}, 675}, Found{"votes", "lmc", {}, 218},
        Found{"pre-votes", "lmc", {}, 99}),
    NameOf);

}  // namespace
}  // namespace foretell::tests
