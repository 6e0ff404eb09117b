#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/integration/zab/family.h"
#include "foretell/model/check.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/search/explorers.h"
#include "foretell/search/symmetry/symmetry.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/reductions/sections.h"

namespace foretell::bench {
namespace {

using model::Outcome;
using model::Report;
using Figure = std::optional<uint64_t>;

const integration::synod::Family kSynod;
const integration::registers::Family kRegister;
const integration::zab::Family kZab;

struct Row {
  const char* name;
  const model::ServiceFamily* family;
  const char* scenario;
  const char* bug;
  Figure paper_naive, paper_dbss, paper_por, paper_both;
  Figure decomposed = {};  // What `global` must count, ...
  Figure symmetric = {};   // ... up to permutations, ...
  Figure both_max = {};    // ... and `por` at most.
};

std::vector<Row> Rows() {
  return {
      {"Paxos (6)", &kSynod, "paxos-6", "", 13'044'613, 5'606'047, 191'081, 117'369, 168'852,
       29'744, 925},
      {"Faulty-Paxos (6)", &kSynod, "paxos-6", "accepts-all", 96'802, 70'543, 3'050, 2'786},
      {"Faulty-Paxos2 (7)", &kSynod, "paxos-7", "last-accepted", 71'914'839, 66'651'310, 129'533,
       124'976},
      {"Register (5)", &kRegister, "register-5", "", 89'041, 59'306, 10'896, 8'590, 54'343, 10'014,
       595},
      {"Register (5), wrong", &kRegister, "register-5", "wrong-regularity", 4'965, 3'376, 1'936,
       1'483},
      {"Register (6)", &kRegister, "register-6", "", 2'269'797, 1'475'845, 96'641, 57'187, 938'503,
       49'572, 1'466},
      {"Register (6), wrong", &kRegister, "register-6", "wrong-regularity", 94'348, 56'222, 4'642,
       4'642},
      {"Register (7)",
       &kRegister,
       "register-7",
       "",
       51'465'807,
       35'692'316,
       2'986'657,
       1'656'212,
       {},
       817'286,
       3'748},
      {"Zab (6)", &kZab, "zab-6", "", 4'580, 1'876, {}, {}},
      {"Zab (7)", &kZab, "zab-7", "", 8'198, 3'132, {}, {}},
  };
}

struct Run {
  Report report;
  Seconds time{};
};

bool IsFaulty(const Row& row) { return *row.bug != '\0' || row.family == &kZab; }

// A wrong one shows first where runs are followed to their ends, a right one in any order.
search::SearchOptions OptionsOf(const Row& row, const search::MakeQuotient& quotient) {
  search::SearchOptions options;
  options.quotient = quotient;
  options.minimise = false;  // The paper has no such thing.
  if (IsFaulty(row)) options.order = search::Order::kDepthFirst;
  return options;
}

template <class Make>
Run Measure(const Row& row, const model::Service& service, const model::SystemCut& start,
            uint64_t steps_max, Make make, const search::MakeQuotient& quotient) {
  const auto begin = std::chrono::steady_clock::now();
  model::Budget budget({.steps_max = steps_max}, [] { return std::chrono::steady_clock::now(); });
  auto report = make(service, OptionsOf(row, quotient))->Explore(start, budget);
  FORETELL_CHECK(report.ok());
  return {*std::move(report), std::chrono::steady_clock::now() - begin};
}

std::string States(const Run& run) {
  const bool ended = run.report.outcome != Outcome::kBudget;
  return (ended ? "" : "> ") + Count(run.report.stats.global_states);
}

bool IsRight(const Row& row, const Run& run) {
  if (run.report.outcome == Outcome::kBudget) return true;
  return IsFaulty(row) ? run.report.outcome == Outcome::kViolation : run.report.complete;
}

bool IsCounted(const Figure& exact, const Run& run) {
  return !run.report.complete || !exact || *run.report.stats.global_states == *exact;
}

// A row per search of what it took.
void AddCosts(const Row& row, const std::vector<std::pair<const char*, const Run*>>& runs,
              Table& costs) {
  for (const auto& [search, run] : runs) {
    costs.Add({row.name, search, States(*run), Count(run->report.stats.transitions),
               Count(run->report.stats.handler_executions), Time(run->time),
               Bytes(run->report.stats.visited_bytes), Count(run->report.stats.images_max)});
  }
}

// The row of the table; false if a count or a verdict is wrong.
bool Add(const Row& row, uint64_t steps_max, Table& table, Table& costs) {
  const model::System system = *row.family->Make(row.scenario, row.bug);
  const model::KeptAuxiliary kept(*system.service);
  const auto measure = [&](const model::Service& service, auto make,
                           const search::MakeQuotient& quotient = {}) {
    return Measure(row, service, system.start, steps_max, make, quotient);
  };
  const Run naive = measure(kept, search::MakeGlobalExplorer);
  const Run decomposed = measure(*system.service, search::MakeGlobalExplorer);
  const Run por_naive = measure(kept, search::MakePorExplorer);
  const Run por = measure(*system.service, search::MakePorExplorer);
  const Run symmetric = measure(*system.service, search::MakeGlobalExplorer, search::MakeSymmetry);
  const Run all = measure(*system.service, search::MakePorExplorer, search::MakeSymmetry);
  bool right = IsCounted(row.decomposed, decomposed) && IsCounted(row.symmetric, symmetric);
  for (const Run* run : {&naive, &decomposed, &por_naive, &por, &symmetric, &all}) {
    right = right && IsRight(row, *run);
  }
  // One that was cut short may not even have been reduced.
  right = right && (!all.report.complete ||
                    *all.report.stats.global_states <= row.both_max.value_or(UINT64_MAX));
  table.Add({row.name, IsFaulty(row) ? "CE" : "OK", Count(row.paper_naive), States(naive),
             Count(row.paper_dbss), States(decomposed), Count(row.paper_por), States(por_naive),
             Count(row.paper_both), States(por), right ? "yes" : "NO"});
  AddCosts(row, {{"POR", &por}, {"+ symmetry", &symmetric}, {"POR + symmetry", &all}}, costs);
  return right;
}

}  // namespace

bool PrintTable1(uint64_t steps_max, std::ostream& out) {
  out << "Table I of the DBSS paper (Saissi et al.) beside Foretell, in states. Ours have the\n"
      << "network as a set and not as lists in a heap; naive keeps the message that came last\n"
      << "to each node, which is what decomposition leaves out. >: ended by the limit on steps,\n"
      << "which --full does not have. -: not in the paper.\n\n";
  Table table;
  table.Add({"", "", "naive:", "", "DBSS:", "", "POR:", "", "both:", "", "as it"});
  table.Add({"protocol", "found", "paper", "ours", "paper", "ours", "paper", "ours", "paper",
             "ours", "must be"});
  Table costs;
  costs.Add({"protocol", "search", "states", "transitions", "handler runs", "time", "memory",
             "permutations"});
  bool right = true;
  for (const Row& row : Rows()) right = Add(row, steps_max, table, costs) && right;
  out << table.Text(2)
      << "\nDecomposed throughout, and what it takes. + symmetry: states that differ in the names\n"
      << "of interchangeable nodes are one, which the table of the paper does not have.\n\n"
      << costs.Text(1);
  return right;
}

}  // namespace foretell::bench
