#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/integration/zab/family.h"
#include "foretell/model/check.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/explorers.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/minimise/minimised_nodes.h"
#include "foretell/search/reduction.h"
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
  Figure decomposed = {};   // What `global` must count, ...
  Figure transitions = {};  // ... with so many of these, ...
  Figure symmetric = {};    // ... and up to permutations.
  Figure por_max = {};      // What `por` may count at most, ...
  Figure both_max = {};     // ... and with symmetry.
};

std::vector<Row> Rows() {
  return {
      {"Paxos (6)", &kSynod, "paxos-6", "", 13'044'613, 5'606'047, 191'081, 117'369, 168'852,
       867'972, 29'744, 4'287, 925},
      {"Faulty-Paxos (6)", &kSynod, "paxos-6", "accepts-all", 96'802, 70'543, 3'050, 2'786},
      {"Faulty-Paxos2 (7)", &kSynod, "paxos-7", "last-accepted", 71'914'839, 66'651'310, 129'533,
       124'976},
      {"Register (5)", &kRegister, "register-5", "", 89'041, 59'306, 10'896, 8'590, 54'343, 254'633,
       10'014, 1'961, 595},
      {"Register (5), wrong", &kRegister, "register-5", "wrong-regularity", 4'965, 3'376, 1'936,
       1'483},
      {"Register (6)", &kRegister, "register-6", "", 2'269'797, 1'475'845, 96'641, 57'187, 938'503,
       5'785'338, 49'572, 11'697, 1'466},
      {"Register (6), wrong", &kRegister, "register-6", "wrong-regularity", 94'348, 56'222, 4'642,
       4'642},
      {.name = "Register (7)",
       .family = &kRegister,
       .scenario = "register-7",
       .bug = "",
       .paper_naive = 51'465'807,
       .paper_dbss = 35'692'316,
       .paper_por = 2'986'657,
       .paper_both = 1'656'212,
       .symmetric = 817'286,
       .por_max = 58'365,
       .both_max = 3'748},
      {"Zab (6)", &kZab, "zab-6", "", 4'580, 1'876, {}, {}},
      {"Zab (7)", &kZab, "zab-7", "", 8'198, 3'132, {}, {}},
  };
}

// A way to search, and what it is to be compared with.
struct Way {
  const char* name;
  bool kept = false;  // What is auxiliary tells states apart.
  bool por = false;
  bool symmetric = false;
  bool minimised = false;
  Figure Row::*paper = nullptr;
  Figure Row::*exact = nullptr;
  Figure Row::*most = nullptr;
};

// The columns of the table. The paper's decomposition has a part that is about the stack; ours is
// that states with one successor are not stored, where por is on.
const std::vector<Way>& Ways() {
  static const std::vector<Way> kWays = {
      {.name = "naive", .kept = true, .paper = &Row::paper_naive},
      {.name = "decomposed", .paper = &Row::paper_dbss, .exact = &Row::decomposed},
      {.name = "POR", .kept = true, .por = true, .paper = &Row::paper_por},
      {.name = "POR + decomposed",
       .por = true,
       .paper = &Row::paper_both,
       .most = &Row::por_max},
      {.name = "+ symmetry", .por = true, .symmetric = true, .most = &Row::both_max},
      {.name = "+ minimised", .por = true, .minimised = true},
      {.name = "decomposed + symmetry", .symmetric = true, .exact = &Row::symmetric},
      {.name = "decomposed + minimised", .minimised = true},
  };
  return kWays;
}
// Of those, the columns of the first table.
constexpr size_t kPaperWays = 4;
constexpr size_t kColumns = 6;

struct Run {
  Report report;
  Seconds time{};
};

bool IsFaulty(const Row& row) { return *row.bug != '\0' || row.family == &kZab; }

// A wrong one shows first where runs are followed to their ends, a right one in any order.
search::SearchOptions OptionsOf(const Row& row, const Way& way) {
  search::SearchOptions options;
  if (way.symmetric) options.quotient = search::MakeSymmetry;
  options.minimise = way.minimised;
  options.minimise_after = 0;
  if (IsFaulty(row)) options.order = search::Order::kDepthFirst;
  return options;
}

// Of the processor: others may keep it busy.
Seconds ProcessorTime() {
  return Seconds(static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC));
}

// What engine `por` does, but that forced moves are not stored from the first state on: an engine
// stores them as long as states are few, because paths are then the shortest.
Report Reduce(const model::System& system, const search::SearchOptions& options,
              model::Budget& budget) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  search::GlobalSpace space(table);
  search::NodeGraphs graphs(table, system.start);
  const model::InvariantSet wanted = invariants.all() | invariants.when_stuck();
  Report report;
  std::unique_ptr<search::Quotient> quotient;
  if (options.quotient) {
    quotient = options.quotient(space, invariants, system.start, report.notes);
  }
  report.outcome = Outcome::kBudget;
  if (!graphs.Grow(UINT32_MAX, budget, {})) return report;
  std::unique_ptr<search::MinimisedNodes> nodes;
  const search::StepGraph* graph = &graphs;
  if (options.minimise) {
    nodes = search::MinimisedNodes::Make(table, invariants, graphs, wanted, search::Inert::kDropped,
                                         budget);
    if (nodes == nullptr) return report;
    space.Minimise(*nodes);
    graph = nodes.get();
    report.stats.classes = nodes->class_count();
  }
  const auto sets = search::PersistentSets::Make(space, invariants, *graph, wanted, budget);
  if (sets == nullptr || (quotient && !quotient->Verify(budget))) return report;
  sets->set_forced_from(0);
  search::StateSearch search(space, invariants, options, sets.get(), nullptr, quotient.get());
  const auto result = search.Run(space.Start(system.start), wanted, budget);
  report.complete = result.exhausted && result.found.empty();
  report.outcome = !result.found.empty() ? Outcome::kViolation
                   : result.exhausted     ? Outcome::kNone
                                          : report.outcome;
  for (const auto& [invariant, state] : result.found) {
    FORETELL_CHECK(model::Confirm(*system.service, system.start, invariants.info(invariant).name,
                                  search.PathTo(state))
                       .ok());
  }
  report.stats.global_states = search.state_count();
  report.stats.transitions = result.transitions;
  report.stats.handler_executions = table.handler_executions();
  report.stats.bytes = search.bytes() + sets->bytes() + (nodes ? nodes->bytes() : 0);
  if (quotient) report.stats.images_max = quotient->images_max();
  return report;
}

Run Measure(const Row& row, const Way& way, uint64_t steps_max) {
  const model::System system = *row.family->Make(row.scenario, row.bug);
  const model::KeptAuxiliary kept(*system.service);
  const model::Service& service =
      way.kept ? static_cast<const model::Service&>(kept) : *system.service;
  const search::SearchOptions options = OptionsOf(row, way);
  const Seconds begin = ProcessorTime();
  model::Budget budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
  if (way.por && !way.kept) return {Reduce(system, options, budget), ProcessorTime() - begin};
  const auto make = way.por ? search::MakePorExplorer : search::MakeGlobalExplorer;
  auto report = make(service, options)->Explore(system.start, budget);
  FORETELL_CHECK(report.ok());
  return {*std::move(report), ProcessorTime() - begin};
}

// Whether verdict and counts are what they must be, as far as the search got.
bool IsRight(const Row& row, const Way& way, const Run& run) {
  const Report& report = run.report;
  if (report.outcome == Outcome::kBudget) return true;
  if (report.outcome != (IsFaulty(row) ? Outcome::kViolation : Outcome::kNone)) return false;
  const uint64_t states = *report.stats.global_states;
  if (IsFaulty(row)) {
    const uint64_t best = std::min(row.paper_both.value_or(UINT64_MAX),
                                   row.paper_dbss.value_or(UINT64_MAX));
    return !way.por || way.kept || states < best;
  }
  const auto figure = [&row](Figure Row::*which) { return which ? row.*which : Figure(); };
  const bool steps_right = way.exact != &Row::decomposed || !row.transitions ||
                           report.stats.transitions == *row.transitions;
  return report.complete && steps_right && states == figure(way.exact).value_or(states) &&
         states <= figure(way.most).value_or(states);
}

std::string States(const Run& run) {
  const bool ended = run.report.outcome != Outcome::kBudget;
  return (ended ? "" : "> ") + Count(run.report.stats.global_states);
}

// The row of the table, and those of the other; false if a count or a verdict is wrong.
bool Add(const Row& row, uint64_t steps_max, Table& table, Table& costs) {
  std::vector<std::string> cells = {row.name, IsFaulty(row) ? "CE" : "OK"};
  bool right = true;
  for (size_t i = 0; i < Ways().size(); ++i) {
    const Way& way = Ways()[i];
    const Run run = Measure(row, way, steps_max);
    const bool as_it_must_be = IsRight(row, way, run);
    right = right && as_it_must_be;
    if (i < kPaperWays) cells.push_back(Count(row.*way.paper));
    if (i < kColumns) cells.push_back(States(run));
    const model::Stats& stats = run.report.stats;
    costs.Add({row.name, way.name, States(run), Count(stats.transitions),
               Count(stats.handler_executions), Time(run.time), Bytes(stats.bytes),
               Count(stats.images_max), Count(stats.classes), as_it_must_be ? "yes" : "NO"});
  }
  cells.emplace_back(right ? "yes" : "NO");
  table.Add(std::move(cells));
  return right;
}

}  // namespace

bool PrintTable1(uint64_t steps_max, std::ostream& out) {
  out << "Table I of the DBSS paper (Saissi et al.) beside Foretell, in states. Ours have the\n"
      << "network as a set and not as lists in a heap; naive keeps the message that came last\n"
      << "to each node, which is what decomposition leaves out. >: ended by the limit on steps,\n"
      << "which --full does not have. -: not in the paper, as symmetry and minimising.\n\n";
  Table table;
  table.Add({"", "", "naive:", "", "decomposed:", "", "POR:", "", "POR + dec.:", "", "+ symmetry:",
             "+ minimised:", "as it"});
  table.Add({"protocol", "found", "paper", "ours", "paper", "ours", "paper", "ours", "paper",
             "ours", "ours", "ours", "must be"});
  Table costs;
  costs.Add({"protocol", "search", "states", "transitions", "handler runs", "time", "memory",
             "permutations", "classes", "as it must be"});
  bool right = true;
  for (const Row& row : Rows()) right = Add(row, steps_max, table, costs) && right;
  out << table.Text(2)
      << "\nWhat it takes: processor time, and all memory that the search holds at its end.\n"
      << "+ symmetry and + minimised are POR + decomposed as well, each without the other.\n\n"
      << costs.Text(1);
  return right;
}

}  // namespace foretell::bench
