#pragma once

// What a check has covered, as a value: which handlers ran, which invariants saw anything, which
// goals were reached, what kept growing, and which claims did not hold.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/event.h"
#include "foretell/model/report.h"

namespace foretell::predictors {

// Runs of the handlers of one kind of event. What an engine runs again, to audit or to replay, is
// counted again.
struct HandlerRuns {
  model::EventKind kind = model::EventKind::kAction;
  std::string name;       // "Prepare", "crash"; "any message" where kinds are not told apart.
  bool expected = false;  // It is worth telling if it never ran.
  uint64_t runs = 0;
  uint64_t sent = 0;  // kDeliver: messages that were sent by those runs, or in flight at the start.
  bool handled = true;  // False for a fault that the service has no handler of: its default ran.
};

// The hook of a fault, as a protocol spells it: "OnCrash".
std::string HookName(model::EventKind fault);

struct NodeRuns {
  std::string role;       // Empty if it has no name.
  bool expected = false;  // False for a node to which nothing can happen: failed or absent.
  uint64_t runs = 0;
};

// An invariant, and whether some node contributed to it; a goal, and whether it was reached.
struct Mark {
  std::string name;
  bool seen = false;
};

// A number that kept rising, or a text or container that kept getting longer.
struct Growth {
  uint32_t node = 0;
  std::string field;
  std::vector<uint64_t> largest;  // In each of the last windows; every one is twice as long.
};

// A claim of `stable` that handlers do not keep.
struct Doubt {
  std::string invariant;
  std::string text;  // One sentence, without the dot.
};

struct Coverage {
  // Of processes that block: what a program uses of their primitives is its own affair.
  bool program = false;
  std::vector<HandlerRuns> handlers;  // Messages, actions and faults, in this order.
  std::vector<NodeRuns> nodes;
  std::vector<Mark> invariants;  // Without liveness predicates, which safety checks skip.
  std::vector<Mark> goals;
  std::vector<std::string> undecided;  // Names of liveness predicates.
  // Handlers of faults that no budget lets happen: one sentence each, without the dot.
  std::vector<std::string> barred;
  std::vector<Growth> growing;
  std::vector<std::string> piling;  // Actions that send, change nothing and stay possible.
  std::vector<Doubt> doubts;
  // The space was covered, and nothing was found: what did not happen never does within its
  // bounds. Else it was not seen so far. What did happen may be more than can: some engines try
  // node states that do not occur together.
  bool certain = false;

  uint64_t runs() const;
};

// Joins what was seen in another space of the same service.
void AddCoverage(const Coverage& from, Coverage& to);

// True iff every handler that may run did, at every node, every invariant saw some node and every
// goal was reached.
bool IsFull(const Coverage& coverage);

// One line for people: "Every handler ran: 4 messages, 1 action, crash, restart.", or what did not
// happen, by name; and what could not happen, or was not asked, although there is code for it.
std::string CoverageText(const Coverage& coverage);

// What else a reader of `report` should know, one sentence each: a space that is suspiciously
// small, claims that do not hold, and why a search that was cut off would not end.
std::vector<std::string> CoverageNotes(const Coverage& coverage, const model::Report& report);

}  // namespace foretell::predictors
