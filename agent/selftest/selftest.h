#pragma once

// `foretell selftest`: every engine against the naive search on random services, and on random
// programs of processes that block. Budgets are in
// steps, not in time, so that the same seeds give the same report on every machine.

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/integration/random/random_spec.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

// An engine under test.
struct SelftestEngine {
  std::string name;
  // Must go on past violations (ExploreOptions::all_invariants). The service outlives the explorer.
  std::function<std::unique_ptr<model::Explorer>(const model::Service&)> make;
  predictors::EnginePromises promises = {};
  // As predictors::Engine::covers: where it explores nothing, it has promised nothing.
  std::function<absl::Status(const model::Service&, const model::SystemCut&)> covers = {};
};

// All of predictors/engines.h, each in every order and with every notion of dependency that it can
// be told.
std::vector<SelftestEngine> StandardEngines();

struct SelftestOptions {
  uint64_t count = 2'000;       // Services to check.
  uint64_t programs = 0;        // Programs of processes that block, after them.
  uint64_t seed = 1;            // Of the first; the others follow.
  uint64_t states_max = 3'000;  // Larger services are skipped, and counted.
  // Budget of one engine on one service: as many steps as the naive search took, and these.
  uint64_t steps_extra = 50'000;
  uint64_t details_max = 3;       // Disagreements per engine to minimise and keep.
  uint64_t attempts_max = 3'000;  // Smaller services to try for each of those.
};

// A fault of a report.
enum class Complaint : uint8_t {
  kFailed,      // No report at all.
  kOutcome,     // Outcome, `complete` and violations contradict each other.
  kFalseAlarm,  // A violation that no reachable state shows.
  kMissed,      // "Complete", but a violation is missing.
  kPath,        // A path that does not replay to its violation, or is not the shortest.
  kIncomplete,  // Gave up on a service that it must finish.
  kStates,      // A wrong number of states.
  kUnsteady,    // Two runs, two reports.
};
const char* ComplaintName(Complaint complaint);

struct Disagreement {
  uint64_t seed = 0;
  std::string engine;
  Complaint complaint = Complaint::kFailed;
  std::string text;                  // What is wrong with the minimised service ...
  std::vector<std::string> service;  // ... which is this.
  std::set<std::string> expected;
  std::set<std::string> found;
  std::vector<std::string> missed_path;  // A shortest way into a violation that was not found.
  integration::RandomServiceSpec spec;   // Empty for a program.
};

struct EngineTally {
  std::string engine;
  uint64_t complete = 0;
  uint64_t incomplete = 0;
  uint64_t violations = 0;
  uint64_t disagreements = 0;
};

struct SelftestReport {
  uint64_t checked = 0;
  uint64_t programs = 0;    // Those of them that are programs of processes.
  uint64_t skipped = 0;     // Too many states for the naive search.
  uint64_t states = 0;      // Of the naive search, over all services.
  uint64_t invariants = 0;  // Local assertions of each service included.
  uint64_t violated = 0;
  uint64_t deep = 0;  // Violated, but not within four steps.
  std::vector<EngineTally> engines;
  std::vector<Disagreement> disagreements;
  bool agreed() const;
};

// Called after every service.
using SelftestProgress = std::function<void(const SelftestReport&)>;

SelftestReport RunSelftest(const SelftestOptions& options,
                           const std::vector<SelftestEngine>& engines,
                           const SelftestProgress& progress = nullptr);

// Prints the report for people. Returns the exit code: 0 if all agree, else 1.
int PrintSelftest(const SelftestReport& report, std::ostream& out);

// The command: standard engines, report to `out`.
int SelftestCommand(const SelftestOptions& options, std::ostream& out,
                    const SelftestProgress& progress = nullptr);

}  // namespace foretell::agent
