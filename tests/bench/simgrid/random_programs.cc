#include "foretell/tests/bench/simgrid/random_programs.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "foretell/model/process/random/random_program.h"
#include "foretell/search/dpor/testing/every_interleaving.h"

namespace foretell::bench {
namespace {

using search::Algorithm;
using search::Relation;
using search::Turns;
using search::testing::Lab;

struct Row {
  std::string text;
  Algorithm algorithm = Algorithm::kOptimal;
  Relation relation = Relation::kExact;
  bool exact = true;  // Misses nothing; nor does kOptimal give up.
  uint64_t traces = 0;
  uint64_t blocked = 0;
  uint64_t steps = 0;
  uint64_t missed = 0;  // Programs in which an end was not reached.
};

struct Sums {
  uint64_t interleavings = 0;
  uint64_t kinds = 0;
  uint64_t reads = 0;
  uint64_t ends = 0;
};

void Follow(Lab& lab, const search::testing::Outcomes& all, Row& row) {
  const auto by = search::testing::FollowBy(lab, row.algorithm, row.relation, Turns::kOldest);
  row.traces += by.followed.traces;
  row.blocked += by.followed.blocked;
  row.steps += by.followed.transitions;
  row.missed += by.outcomes.ends != all.ends ? 1 : 0;
}

bool PrintRows(const std::vector<Row>& rows, const Sums& sums) {
  bool right = true;
  for (const Row& row : rows) {
    const bool optimal = row.algorithm == Algorithm::kOptimal;
    const bool wrong =
        (row.exact && row.missed > 0) || (optimal && (row.blocked > 0 || row.traces != sums.kinds));
    right = right && !wrong;
    std::cout << "  " << std::left << std::setw(46) << row.text << std::right << std::setw(10)
              << row.traces << std::setw(10) << row.steps << std::setw(9) << row.blocked
              << std::setw(9) << row.missed << (wrong ? "  WRONG" : "") << '\n';
  }
  return right;
}

bool PrintShape(const std::string& text, const model::process::random::Shape& shape,
                uint64_t count) {
  std::vector<Row> rows = {
      {"paper's relation and algorithm", Algorithm::kPaper, Relation::kPaper, false},
      {"exact relation, paper's algorithm", Algorithm::kPaper, Relation::kExact, false},
      {"source sets", Algorithm::kSource},
      {"optimal: engine dpor", Algorithm::kOptimal}};
  Sums sums;
  uint64_t compared = 0;
  for (uint64_t seed = 1; compared < count; ++seed) {
    Lab lab(model::process::random::RandomProgram(seed, shape));
    const auto all = search::testing::EveryInterleaving(lab);
    if (!all) continue;
    ++compared;
    sums.interleavings += all->executions;
    sums.kinds += all->kinds.size();
    sums.reads += all->reads.size();
    sums.ends += all->ends.size();
    for (Row& row : rows) Follow(lab, *all, row);
  }
  std::cout << text << ": " << sums.interleavings << " interleavings of " << sums.kinds
            << " kinds, " << sums.reads << " ways to read from what was sent, " << sums.ends
            << " ends\n";
  return PrintRows(rows, sums);
}

}  // namespace

bool PrintRandomPrograms(uint64_t count) {
  std::cout << '\n'
            << std::left << std::setw(48)
            << std::to_string(count) + " random programs; all interleavings tried" << std::right
            << std::setw(10) << "traces" << std::setw(10) << "steps" << std::setw(9) << "blocked"
            << std::setw(9) << "missed" << '\n';
  const bool one = PrintShape("one mailbox for each receive", {}, count);
  const bool several = PrintShape("some receives from two mailboxes", {.several = true}, count);
  return one && several;
}

}  // namespace foretell::bench
