// Random programs: the strategies against every interleaving, and the mailboxes against the paper's
// network with its own ids.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "foretell/model/family.h"
#include "foretell/model/process/plain_network.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/dpor/strategies.h"
#include "foretell/search/dpor/testing/random_program.h"

namespace foretell::search {
namespace {

using model::process::PlainProcesses;
using model::process::Program;
using model::process::Protocol;
using testing::RandomProgram;

uint64_t Count(const char* name, uint64_t usual) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

// A program with all that it takes to follow it.
struct Lab {
  explicit Lab(Program program)
      : service(model::MakeService(Protocol(std::move(program)))), table(*service), space(table) {
    std::vector<ProcessSpace::Part> parts;
    start = space.Start(model::InitialCut(*service), parts);
  }
  std::unique_ptr<model::Service> service;
  model::TransitionTable table;
  ProcessSpace space;
  ProcessIds start;
};

// An execution up to swaps: of what can come first, always the least process.
std::vector<std::pair<uint32_t, uint32_t>> Kind(const Execution& execution) {
  std::vector<std::pair<uint32_t, uint32_t>> kind;
  std::vector<bool> taken(execution.size());
  while (kind.size() < execution.size()) {
    size_t least = execution.size();
    for (size_t i = 0; i < execution.size(); ++i) {
      if (taken[i]) continue;
      bool first = true;
      for (size_t j = 0; j < i; ++j) first = first && (taken[j] || !execution.Before(j, i));
      if (!first) continue;
      const bool less =
          least == execution.size() || execution.turn(i).process < execution.turn(least).process;
      if (less) least = i;
    }
    taken[least] = true;
    kind.emplace_back(execution.turn(least).process, execution.turn(least).key);
  }
  return kind;
}

struct Everything {
  uint64_t interleavings = 0;
  std::set<ProcessIds> ends;
  std::set<std::vector<std::pair<uint32_t, uint32_t>>> kinds;
};

// False if there are too many interleavings.
bool Try(Execution& execution, Everything& all) {
  constexpr uint64_t kTooMany = 3000;
  bool end = true;
  for (uint32_t p = 0; p < execution.process_count(); ++p) {
    for (const ProcessSpace::Step& step : execution.Steps(p)) {
      end = false;
      execution.Push(p, step);
      const bool fits = Try(execution, all);
      execution.Truncate(execution.size() - 1);
      if (!fits) return false;
    }
  }
  if (!end) return true;
  all.ends.insert(execution.state(execution.size()));
  all.kinds.insert(Kind(execution));
  return ++all.interleavings <= kTooMany;
}

struct Outcome {
  Followed followed;
  std::set<ProcessIds> ends;
};

template <class F>
Outcome FollowBy(Lab& lab, Relation relation, Turns turns, F strategy) {
  Outcome outcome;
  Execution execution(lab.space, lab.start, relation);
  outcome.followed = strategy(execution, turns, 1000,
                              Follower{[] { return true; },
                                       [&] {
                                         outcome.ends.insert(execution.state(execution.size()));
                                         return true;
                                       }});
  return outcome;
}

void Compare(const testing::Shape& shape, uint64_t seeds) {
  uint64_t compared = 0, kinds = 0, given_up = 0, missed_by_paper = 0;
  for (uint64_t seed = 1; compared < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Lab lab(RandomProgram(seed, shape));
    Execution execution(lab.space, lab.start, Relation::kExact);
    Everything all;
    if (!Try(execution, all)) continue;
    ++compared;
    kinds += all.kinds.size();
    for (const Turns turns : {Turns::kOldest, Turns::kDescending}) {
      const Outcome optimal = FollowBy(lab, Relation::kExact, turns, FollowOptimal);
      const Outcome source = FollowBy(lab, Relation::kExact, turns, FollowSource);
      const Outcome paper = FollowBy(lab, Relation::kPaper, turns, FollowPaper);
      ASSERT_EQ(source.ends, all.ends);
      ASSERT_EQ(source.followed.traces, all.kinds.size());
      given_up += source.followed.blocked;
      // Wakeup trees are not used where a receive from several mailboxes has a choice.
      if (lab.space.open_outcomes()) continue;
      ASSERT_EQ(optimal.ends, all.ends);
      ASSERT_EQ(optimal.followed.traces, all.kinds.size());
      ASSERT_EQ(optimal.followed.blocked, 0u);
      missed_by_paper += paper.ends != all.ends ? 1 : 0;
    }
  }
  ::testing::Test::RecordProperty("kinds", std::to_string(kinds));
  ::testing::Test::RecordProperty("given_up_by_source_sets", std::to_string(given_up));
  ::testing::Test::RecordProperty("missed_by_paper", std::to_string(missed_by_paper));
}

TEST(DporTest, OneExecutionOfEachKindAndEveryEnd) {
  Compare({}, Count("FORETELL_DPOR_COUNT", 1000));
}

TEST(DporTest, ReceivesFromSeveralMailboxesReachEveryEnd) {
  Compare({.several = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

// What the processes have got, in every end of the judge's.
void JudgeEnds(const PlainProcesses& at, std::set<std::string>& seen, std::set<std::string>& ends) {
  if (!seen.insert(at.Bytes()).second) return;
  const auto moves = at.Enabled();
  for (const PlainProcesses::Move move : moves) {
    PlainProcesses next = at;
    next.Take(move);
    JudgeEnds(next, seen, ends);
  }
  if (!moves.empty()) return;
  std::string histories;
  for (uint32_t p = 0; p < 3; ++p) {
    if (p < at.process_count()) histories += model::Encode(at.history(p)) + "|";
  }
  ends.insert(histories);
}

TEST(DporTest, EndsAreThoseOfThePapersNetwork) {
  const uint64_t seeds = Count("FORETELL_DPOR_COUNT", 1000) / 10;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Program program = RandomProgram(seed, {});
    std::set<std::string> seen, ends, ours;
    JudgeEnds(PlainProcesses(program), seen, ends);
    Lab lab(program);
    const Outcome outcome = FollowBy(lab, Relation::kExact, Turns::kOldest, FollowOptimal);
    for (const ProcessIds& end : outcome.ends) {
      std::string histories;
      for (uint32_t p = 0; p < lab.space.process_count(); ++p) {
        const auto state = lab.table.StateOf(model::NodeId(p), model::StateId(end[p]));
        histories += model::Encode(model::Decode<Protocol::State>(state.body)->process->history);
        histories += "|";
      }
      ours.insert(histories);
    }
    ASSERT_EQ(ours, ends);
  }
}

}  // namespace
}  // namespace foretell::search
