// Dynamic partial-order reduction: the other orders that have to be followed, too.

#include <utility>
#include <vector>

#include "foretell/dir/explore/local_explorer.h"

namespace foretell::dir {

// True iff `candidate` could happen if the transition at `race`, and all that depends on it, had
// not. Only the state of their node matters; a message is there in any case.
bool LocalExplorer::PossibleWithout(const Candidate& candidate, uint32_t race) {
  model::StateId state = run_.at(race).before;
  for (uint32_t position = race + 1; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    if (transition.candidate.node != candidate.node || transition.past.Test(race)) continue;
    state = table_.transitions
                .Successors(candidate.node, state, transition.candidate.event)[transition.outcome]
                .next;
  }
  return run_.EnabledIn(state, candidate);
}

// Where `candidate` could not happen without the other side of a race, there is nothing to reverse.
// But the transition that made it possible may have undone the one that made it impossible: a
// restart after a crash. Then it races with the latter.
void LocalExplorer::ReverseRaces(const Candidate& candidate, const Positions& past,
                                 std::span<const uint32_t> races) {
  for (uint32_t race : races) {
    while (race != kNone && !PossibleWithout(candidate, race))
      race = run_.LatestBefore(candidate, race);
    if (race != kNone) ReverseRace(candidate, past, race);
  }
}

// `candidate` comes after the transition at `race`, but nothing else forces it to: the other order
// has to be followed, too. The events that lead there from before the race are all since then that
// do not depend on the race, and `candidate`; one of the first of them is scheduled unless one
// already is, and the rest is its guide: left alone, the search might make the reversal impossible
// again.
void LocalExplorer::ReverseRace(const Candidate& candidate, const Positions& past, uint32_t race) {
  const uint32_t before = path_[race];
  Positions since;
  bool candidate_first = true;
  TraceTree::Guide guide;
  for (uint32_t position = race + 1; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    if (transition.past.Test(race)) continue;
    if (!transition.past.Intersects(since) && tree_.IsScheduled(before, transition.candidate))
      return;
    since.Set(position);
    candidate_first = candidate_first && !past.Test(position);
    guide.push_back(transition.candidate);
  }
  if (candidate_first) {
    tree_.Schedule(before, candidate, std::move(guide));
    return;
  }
  guide.push_back(candidate);
  const Candidate first = guide.front();
  guide.erase(guide.begin());
  tree_.Schedule(before, first, std::move(guide));
}

// At the end of a trace: reverses races of events that could not happen any more, because their
// receiver accepts nothing or because something else has made them impossible.
void LocalExplorer::ReverseMissed() {
  std::vector<Candidate> blocked;
  std::vector<uint32_t> races;
  run_.Blocked(blocked);
  for (const Candidate& candidate : blocked) {
    Positions past;
    races.clear();
    run_.Order(candidate, past, races);
    ReverseRaces(candidate, past, races);
  }
  for (const auto& [candidate, position] : disabled_) {
    if (run_.EnabledIn(run_.state(candidate.node), candidate)) continue;
    // It could have happened before, right away, or after some of what came later.
    Positions past;
    races.clear();
    run_.Order(candidate, past, races);
    ReverseRace(candidate, past, position);
  }
}

// The last transition may have made local events impossible that will not be seen any more.
void LocalExplorer::NoteDisabled() {
  const auto position = run_.size() - 1;
  const Transition& last = run_.at(position);
  if (last.before == last.after) return;
  const model::NodeId node = last.candidate.node;
  for (const model::EventId event : table_.transitions.LocalEvents(node, last.before)) {
    const Candidate other{node, event, table_.events.Number(node, event), kNone, kNone};
    if (event == last.candidate.event || run_.EnabledIn(last.after, other)) continue;
    disabled_.emplace_back(other, position);
  }
}

bool LocalExplorer::Independent(const Candidate& a, const Candidate& b) const {
  return a.node != b.node || !setting_.dependency.Dependent(a.number, b.number);
}

}  // namespace foretell::dir
