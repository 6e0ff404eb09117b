// The part of TransitionTable that tests claims: a field that somebody declared auxiliary must not
// matter (DBSS, definition 1). States that were met and taken for others are put to the test: the
// same must be enabled in both, the same must follow, and they must look the same to invariants.
//
// Definition 1 speaks of states, too, that are never generated because their predecessors were
// taken for others. Therefore the two are also followed for a while, side by side.

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::model {

void TransitionTable::KeepFull(NodeId node, StateId state, const std::string& body) {
  constexpr size_t kPerState = 4;
  constexpr size_t kPerNode = 4096;
  Node& own = nodes_[node.index()];
  if (state.index() == own.full.size()) {
    own.full.push_back(body);
    return;
  }
  if (claimed_.empty() || own.alternates.count == kPerNode) return;
  if (own.full[state.index()] == body) return;
  std::vector<std::string>& bodies = own.alternates.bodies[state.value()];
  if (bodies.size() == kPerState) return;
  if (std::find(bodies.begin(), bodies.end(), body) != bodies.end()) return;
  bodies.push_back(body);
  ++own.alternates.count;
}

void TransitionTable::AuditAuxiliary() {
  // Of each node. A wrong claim shows in a quarter of them or more, where it was measured.
  constexpr size_t kTested = 64;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    // A copy, in a fixed order: tests may meet more of them.
    std::vector<std::pair<uint32_t, std::string>> alternates;
    for (const auto& [state, bodies] : nodes_[n].alternates.bodies) {
      for (const std::string& body : bodies) alternates.emplace_back(state, body);
    }
    std::sort(alternates.begin(), alternates.end());
    const size_t stride = alternates.size() / kTested + 1;
    for (size_t i = 0; i < alternates.size(); i += stride) {
      if (!Walk(NodeId(n), StateId(alternates[i].first), alternates[i].second)) return;
    }
  }
}

// Compares `body`, which is taken for `state`, with what stands for that; then what follows on
// both. False if they differ, which is then reported.
bool TransitionTable::Walk(NodeId node, StateId state, std::string body) {
  constexpr uint32_t kEventsMax = 16;
  for (uint32_t events = 0; events < kEventsMax; ++events) {
    const NodeState stands = StateOf(node, state);
    if (IsSilent(stands)) return true;
    const NodeState alternate{stands.status, stands.faults, body};
    if (!LooksTheSame(node, stands.body, body)) {
      ReportClaim(node, stands.body, body, "what is enabled, or what invariants see, differs");
      return false;
    }
    std::optional<std::string> next;
    std::optional<StateId> next_state;
    for (const EventId event : Followers(node, state, events)) {
      std::optional<std::string> then;
      if (!SameOutcomes(node, state, alternate, event, then)) {
        ReportClaim(node, stands.body, body,
                    absl::StrCat(Describe(service_, node, EventOf(event)), " goes differently"));
        return false;
      }
      const auto known = nodes_[node.index()].steps.at(PairKey(state.value(), event.value()));
      if (next || !then) continue;
      next = std::move(then);
      next_state = known[0].next;
    }
    if (!next) return true;
    state = *next_state;
    body = *std::move(next);
  }
  return true;
}

bool TransitionTable::LooksTheSame(NodeId node, const std::string& a, const std::string& b) const {
  if (service_.Actions(node, a) != service_.Actions(node, b)) return false;
  for (size_t i = 0; i < service_.invariants().size(); ++i) {
    if (service_.Project(i, node, a) != service_.Project(i, node, b)) return false;
  }
  return true;
}

// Whether `event` turns out in `alternate` as it is known to in `state`. `next` becomes where its
// first way leads.
bool TransitionTable::SameOutcomes(NodeId node, StateId state, const NodeState& alternate,
                                   EventId event, std::optional<std::string>& next) {
  const auto known = nodes_[node.index()].steps.at(PairKey(state.value(), event.value()));
  std::vector<LocalOutcome> outcomes = RunAllChoices(service_, node, alternate, EventOf(event));
  if (outcomes.size() != known.size()) return false;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (InternState(node, outcomes[i].next) != known[i].next) return false;
    if (InternSends(node, outcomes[i].sends) != known[i].sends) return false;
  }
  next = std::move(outcomes[0].next.body);
  return true;
}

// Names the claimed fields in which two states differ.
void TransitionTable::ReportClaim(NodeId node, const std::string& a, const std::string& b,
                                  const std::string& what) {
  const std::vector<Field> in_a = service_.RenderState(node, a);
  const std::vector<Field> in_b = service_.RenderState(node, b);
  const auto values = [](const std::vector<Field>& fields, const std::string& claim) {
    std::vector<std::string> own;
    for (const Field& field : fields) {
      if (absl::StartsWith(field.name, claim)) own.push_back(field.name + field.value);
    }
    return own;
  };
  std::vector<std::string> wrong;
  for (const std::string& claim : claimed_) {
    if (values(in_a, claim) != values(in_b, claim)) wrong.push_back(claim);
  }
  nondeterminism_ =
      absl::StrCat(absl::StrJoin(wrong, ", "), ": declared auxiliary, but what node ", node.value(),
                   " does is not a function of the relevant part: with another value, ", what);
}

}  // namespace foretell::model
