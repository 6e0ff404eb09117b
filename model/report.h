#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"

namespace foretell::model {

enum class Outcome : uint8_t {
  kNone,            // Nothing found, and nothing left to explore (see Report::complete).
  kViolation,       // At least one violation.
  kBudget,          // Nothing found before the budget or the depth bound ended the search.
  kNondeterminism,  // The service is not a function of state and event; nothing else is claimed.
};

// "none", "violation", "budget", "nondeterminism": the words of the JSON contract.
const char* OutcomeName(Outcome outcome);

// The invariant that stands for local assertions and exceptions of handlers. Its violation is a
// node whose status is kFailed.
inline constexpr const char* kLocalAssertions = "local-assertions";

struct Death;     // model/liveness/liveness.h
struct Liveness;  // model/liveness/liveness.h

// A concrete way into a state that breaks an invariant. Replays through the plain semantics.
struct Violation {
  std::string invariant;
  std::string text;  // The fault at the end: the nodes and their projections, or the assertion.
  Path path;
  // Set iff the invariant is a liveness predicate, and the state at the end of the path is dead.
  std::shared_ptr<const Death> death;
};

// Not every engine has every figure.
struct Stats {
  using Count = std::optional<uint64_t>;
  Count transitions;              // Steps the engine followed, memoized or not.
  Count handler_executions;       // Runs of user code: one per distinct (state, event, choices).
  Count node_states;              // Distinct node states, summed over nodes.
  Count classes;                  // The classes that these were minimised to.
  Count system_states;            // Combinations of node states that an invariant was evaluated on.
  Count global_states;            // Distinct system states with network.
  Count traces;                   // Executions followed to their end ...
  Count blocked;                  // ... and given up half-way: another that was followed is equal.
  Count traces_before_violation;  // Followed before the first violation was met.
  Count soundness_checks;         // Preliminary violations handed to soundness verification.
  Count soundness_rejections;     // ... and found to be impossible.
  Count depth;                    // Longest path followed.
  Count bytes;                    // Memory held by tables and visited states at the end.
  Count visited_bytes;            // The part of it that holds global states.
  Count images_max;               // States that are taken for one, at most: permutations of nodes.
};

struct Report {
  Outcome outcome = Outcome::kNone;
  // The whole space within the service's fault budgets was covered for every invariant that is not
  // among the violations. Never true when a bound cut anything off.
  bool complete = false;
  std::vector<Violation> violations;  // At most one per invariant.
  // The one of several engines whose answer this is, and who finds it again alone. Empty if only
  // one was asked, or if it takes several.
  std::string answer_of;
  Stats stats;
  // Set iff a liveness predicate was asked for.
  std::shared_ptr<const Liveness> liveness;
  // Facts that a reader of the verdict should know: the limit that ended the search, assertions
  // discarded, the non-deterministic event. One sentence each.
  std::vector<std::string> notes;
};

// The progress of an exploration; handed out now and then.
struct Progress {
  const char* phase = "";  // "exploring", "verifying", ...
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t depth = 0;
  uint64_t bytes = 0;
  std::string text;  // Instead of states, from engines that count other things.
};
using ProgressSink = std::function<void(const Progress&)>;

// Restarts a search from a cut. Engines are made for one service and used for one call at a time;
// the same start, options and steps give the same report.
class Explorer {
 public:
  virtual ~Explorer() = default;
  // Fails only if `start` is not a cut of the service, or on our own bug.
  virtual absl::StatusOr<Report> Explore(const SystemCut& start, Budget& budget) = 0;
};

// The options that all engines understand.
struct ExploreOptions {
  uint32_t depth_max = UINT32_MAX;
  // Search over classes of node states that nothing can tell apart, where engines know how.
  bool minimise = true;
  bool all_invariants = false;  // Go on after a violation until every invariant is decided.
  ProgressSink progress;        // May be empty.
};

}  // namespace foretell::model
