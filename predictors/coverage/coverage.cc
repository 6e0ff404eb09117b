#include "foretell/predictors/coverage/coverage.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::predictors {
namespace {

template <class T, class Join>
void JoinRows(const std::vector<T>& from, std::vector<T>& to, Join join) {
  if (to.empty()) {
    to = from;
    return;
  }
  FORETELL_CHECK(from.size() == to.size());
  for (size_t i = 0; i < from.size(); ++i) join(from[i], to[i]);
}

void JoinMarks(const std::vector<Mark>& from, std::vector<Mark>& to) {
  JoinRows(from, to, [](const Mark& a, Mark& b) { b.seen = b.seen || a.seen; });
}

bool Missed(const HandlerRuns& handler) { return handler.expected && handler.runs == 0; }
bool Idle(const NodeRuns& node) { return node.expected && node.runs == 0; }
bool Unseen(const Mark& mark) { return !mark.seen; }

}  // namespace

uint64_t Coverage::runs() const {
  uint64_t total = 0;
  for (const NodeRuns& node : nodes) total += node.runs;
  return total;
}

void AddCoverage(const Coverage& from, Coverage& to) {
  const bool first = to.nodes.empty();
  to.program = from.program;
  to.certain = from.certain && (first || to.certain);
  JoinRows(from.handlers, to.handlers, [](const HandlerRuns& a, HandlerRuns& b) {
    b.expected = b.expected || a.expected;
    b.runs += a.runs;
    b.sent += a.sent;
  });
  JoinRows(from.nodes, to.nodes, [](const NodeRuns& a, NodeRuns& b) {
    b.expected = b.expected || a.expected;
    b.runs += a.runs;
  });
  JoinMarks(from.invariants, to.invariants);
  JoinMarks(from.goals, to.goals);
  to.undecided = from.undecided;
  if (first) to.barred = from.barred;
  std::erase_if(to.barred, [&](const std::string& text) {
    return std::find(from.barred.begin(), from.barred.end(), text) == from.barred.end();
  });
  if (!from.growing.empty()) to.growing = from.growing;
  if (!from.piling.empty()) to.piling = from.piling;
  for (const Doubt& doubt : from.doubts) {
    const bool known = std::any_of(to.doubts.begin(), to.doubts.end(), [&](const Doubt& other) {
      return other.invariant == doubt.invariant;
    });
    if (!known) to.doubts.push_back(doubt);
  }
}

bool IsFull(const Coverage& coverage) {
  return std::none_of(coverage.handlers.begin(), coverage.handlers.end(), Missed) &&
         std::none_of(coverage.nodes.begin(), coverage.nodes.end(), Idle) &&
         std::none_of(coverage.invariants.begin(), coverage.invariants.end(), Unseen) &&
         std::none_of(coverage.goals.begin(), coverage.goals.end(), Unseen);
}

}  // namespace foretell::predictors
