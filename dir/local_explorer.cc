#include "dir/local_explorer.h"

#include <algorithm>
#include <utility>

namespace foretell::dir {

LocalExplorer::LocalExplorer(const Setting& setting, std::span<const model::NodeId> nodes,
                             Checker checker)
    : setting_(setting),
      checker_(checker),
      table_(setting.service),
      dialect_(table_, setting.lexicon),
      run_(setting_, table_, dialect_, nodes),
      tree_(1) {}

bool LocalExplorer::Explore(const Environment& environment, model::Budget& budget,
                            LocalTraces& traces) {
  environment_.Clear();
  for (const Arrival& arrival : environment.arrivals) environment_.Set(run_.AddArrival(arrival));
  budget_ = &budget;
  counts_.clear();
  seen_.clear();
  const bool lasted = Visit(0);
  traces.clear();
  for (const auto& [number, count] : counts_) traces.emplace_back(&behaviours_[number], count);
  return lasted;
}

// Extends the prefix that the run has arrived at in every way that leads to new traces. False if
// the budget is spent, also below.
bool LocalExplorer::Visit(uint32_t at) {
  if (run_.size() >= setting_.depth_max) {
    cut_off_ = true;
    return true;
  }
  std::vector<Candidate> enabled;
  run_.Enabled(enabled);
  std::erase_if(enabled, [this](const Candidate& what) { return !Allowed(what); });
  if (enabled.empty()) {
    Complete();
    return true;
  }
  if (checker_ == Checker::kDfs) {
    for (const Candidate& what : enabled) Schedule(at, what);
  }
  bool followed = false;
  // Choices are added while earlier ones are followed.
  for (size_t choice = 0;; ++choice) {
    if (choice == tree_[at].choices.size()) {
      if (followed || !Seed(at, enabled)) break;
    }
    const Candidate& what = tree_[at].choices[choice].what;
    if (!Allowed(what) || IsAsleep(at, what)) continue;
    followed = true;
    if (!Follow(at, choice)) return false;
  }
  blocked_ += followed ? 0 : 1;
  return true;
}

// Where nothing that this environment allows was scheduled so far: something has to be, preferably
// what leads to the reversal of a race. False if all of it is asleep.
bool LocalExplorer::Seed(uint32_t at, std::span<const Candidate> enabled) {
  std::vector<Candidate> guide = std::exchange(tree_[at].guide, {});
  const Candidate* seed = nullptr;
  for (const Candidate& what : enabled) {
    if (IsAsleep(at, what)) continue;
    if (seed == nullptr) seed = &what;
    if (guide.empty() || !guide.front().Same(what)) continue;
    guide.erase(guide.begin());
    Schedule(at, what, std::move(guide));
    return true;
  }
  if (seed != nullptr) Schedule(at, *seed);
  return seed != nullptr;
}

bool LocalExplorer::Follow(uint32_t at, size_t choice) {
  const Candidate what = tree_[at].choices[choice].what;
  Positions past;
  std::vector<uint32_t> races;
  run_.Order(what, past, races);
  const uint32_t outcomes = run_.Outcomes(what);
  const bool fresh = tree_[at].choices[choice].children == kNone;
  if (fresh) {
    if (!budget_->TakeStep()) return false;
    Grow(at, choice, past, races);
  }
  path_.push_back(at);
  bool lasted = true;
  for (uint32_t outcome = 0; lasted && outcome < outcomes; ++outcome) {
    run_.Apply(what, outcome, past);
    if (fresh && checker_ == Checker::kDpor) ScheduleDisabled(at, what);
    lasted = Visit(tree_[at].choices[choice].children + outcome);
    run_.Undo();
  }
  path_.pop_back();
  return lasted;
}

// Adds the nodes that a choice leads to.
void LocalExplorer::Grow(uint32_t at, size_t choice, const Positions& past,
                         std::span<const uint32_t> races) {
  const Candidate what = tree_[at].choices[choice].what;
  Node child;
  child.guide = std::exchange(tree_[at].choices[choice].guide, {});
  if (checker_ == Checker::kDpor) {
    ReverseRaces(what, past, races);
    const auto keep = [&](const Candidate& other) {
      if (Independent(other, what)) child.asleep.push_back(other);
    };
    for (const Candidate& other : tree_[at].asleep) keep(other);
    for (const Node::Choice& other : tree_[at].choices) {
      if (other.children != kNone) keep(other.what);
    }
  }
  const uint32_t outcomes = run_.Outcomes(what);
  tree_[at].choices[choice].children = static_cast<uint32_t>(tree_.size());
  for (uint32_t outcome = 0; outcome < outcomes; ++outcome) tree_.push_back(child);
  transitions_ += outcomes;
}

// Whether `what` could happen if the transition at `race`, and all that depends on it, had not.
// What matters is the state of their node; a message is there in any case.
bool LocalExplorer::PossibleWithout(const Candidate& what, uint32_t race) {
  model::StateId state = run_.at(race).before;
  for (uint32_t position = race + 1; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    if (transition.what.node != what.node || transition.past.Test(race)) continue;
    state = table_.Successors(what.node, state, transition.what.event)[transition.outcome].next;
  }
  return run_.EnabledIn(state, what);
}

// Where `what` could not happen without the other side of a race, there is nothing to reverse. But
// what made it possible may have undone what made it impossible: a restart after a crash. That is
// what it races with then.
void LocalExplorer::ReverseRaces(const Candidate& what, const Positions& past,
                                 std::span<const uint32_t> races) {
  for (uint32_t race : races) {
    while (race != kNone && !PossibleWithout(what, race)) race = run_.Before(what, race);
    if (race != kNone) ReverseRace(what, past, race);
  }
}

// `what` comes after the transition at `race`, but nothing else forces it to: the other order has
// to be followed, too. What leads there from before the race is everything since then that does not
// depend on the race, and `what`; one of its first events is scheduled unless one already is, and
// the rest is its guide: left alone, the search might make the reversal impossible again.
void LocalExplorer::ReverseRace(const Candidate& what, const Positions& past, uint32_t race) {
  const uint32_t before = path_[race];
  Positions since;
  bool what_first = true;
  std::vector<Candidate> guide;
  for (uint32_t position = race + 1; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    if (transition.past.Test(race)) continue;
    if (!transition.past.Intersects(since) && IsScheduled(before, transition.what)) return;
    since.Set(position);
    what_first = what_first && !past.Test(position);
    guide.push_back(transition.what);
  }
  if (what_first) {
    Schedule(before, what, std::move(guide));
    return;
  }
  guide.push_back(what);
  const Candidate first = guide.front();
  guide.erase(guide.begin());
  Schedule(before, first, std::move(guide));
}

// At the end of a trace: what could not happen because its receiver accepts nothing any more.
void LocalExplorer::ReverseBlocked() {
  std::vector<Candidate> blocked;
  run_.Blocked(blocked);
  for (const Candidate& what : blocked) {
    if (!Allowed(what)) continue;
    Positions past;
    std::vector<uint32_t> races;
    run_.Order(what, past, races);
    ReverseRaces(what, past, races);
  }
}

// The last transition may have made local events impossible that will not be seen any more.
void LocalExplorer::ScheduleDisabled(uint32_t at, const Candidate& what) {
  const Transition& last = run_.at(run_.size() - 1);
  if (last.before == last.after) return;
  for (const model::EventId event : table_.LocalEvents(what.node, last.before)) {
    const Candidate other{what.node, event, dialect_.Number(what.node, event), kNone, kNone};
    if (event != what.event && !run_.EnabledIn(last.after, other)) Schedule(at, other);
  }
}

void LocalExplorer::Schedule(uint32_t at, const Candidate& what, std::vector<Candidate> guide) {
  if (!IsScheduled(at, what)) tree_[at].choices.push_back({what, kNone, std::move(guide)});
}

bool LocalExplorer::IsScheduled(uint32_t at, const Candidate& what) const {
  const auto& choices = tree_[at].choices;
  return std::any_of(choices.begin(), choices.end(),
                     [&](const Node::Choice& choice) { return choice.what.Same(what); });
}

bool LocalExplorer::IsAsleep(uint32_t at, const Candidate& what) const {
  const auto& asleep = tree_[at].asleep;
  return std::any_of(asleep.begin(), asleep.end(),
                     [&](const Candidate& other) { return other.Same(what); });
}

bool LocalExplorer::Independent(const Candidate& a, const Candidate& b) const {
  return a.node != b.node || !setting_.dependency.Dependent(a.number, b.number);
}

void LocalExplorer::Complete() {
  longest_ = std::max<uint64_t>(longest_, run_.size());
  if (checker_ == Checker::kDpor) ReverseBlocked();
  if (checker_ == Checker::kDfs && !seen_.insert(TraceSignature()).second) {
    ++blocked_;
    return;
  }
  const auto number = static_cast<uint32_t>(behaviours_.size());
  const auto [found, fresh] = behaviour_of_.try_emplace(run_.interface_signature(), number);
  if (fresh) behaviours_.push_back(MakeBehaviour());
  ++counts_[found->second];
  if (watcher_) watcher_(TraceSignature());
}

Signature LocalExplorer::TraceSignature() const {
  std::vector<Signature> transitions;
  Signature sum;
  for (uint32_t position = 0; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    Signature past;
    transition.past.ForEach([&](size_t earlier) { past += transitions[earlier]; });
    transitions.push_back(
        SignatureOf({{transition.what.number, transition.outcome}, transition.received, past}));
    sum += transitions.back();
  }
  return sum;
}

Behaviour LocalExplorer::MakeBehaviour() const {
  Behaviour behaviour;
  behaviour.signature = run_.interface_signature();
  for (uint32_t position = 0; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    if (transition.interface) behaviour.transitions.push_back({transition.signature, position});
    behaviour.trace.push_back(
        {transition.what.number, transition.outcome, transition.received, transition.past});
  }
  return behaviour;
}

uint64_t LocalExplorer::bytes() const {
  return table_.bytes() + tree_.size() * (sizeof(Node) + sizeof(Node::Choice) + sizeof(Candidate));
}

}  // namespace foretell::dir
