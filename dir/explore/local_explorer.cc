#include "foretell/dir/explore/local_explorer.h"

#include <algorithm>
#include <utility>

namespace foretell::dir {

LocalExplorer::LocalExplorer(const CheckSetting& setting, NumberedTable& table,
                             std::span<const model::NodeId> nodes, Checker checker)
    : setting_(setting), checker_(checker), table_(table), run_(setting_, table, nodes) {
  if (setting_.projection != nullptr) cuts_.emplace(table.transitions, setting_.start, nodes);
}

bool LocalExplorer::Explore(const Environment& environment, model::Budget& budget,
                            LocalTraces& traces) {
  run_.Enter(environment.arrivals);
  budget_ = &budget;
  counts_.clear();
  traces_.clear();
  continuations_.Enter(environment);
  uses_cache_ = continuations_.useful() && checker_ == Checker::kDpor;
  fresh_ = true;
  const bool lasted = Visit(0);
  UpdateMeter();
  MergeCounts(0);
  traces.clear();
  for (const auto& [number, count] : counts_) {
    traces.emplace_back(&behaviours_[number], count);
    figures_.local_traces += count;
  }
  return lasted;
}

// Extends the prefix that the run has arrived at in every way that leads to new traces. False if
// the budget is spent, also below.
bool LocalExplorer::Visit(uint32_t at) {
  if (run_.size() >= setting_.depth_max) {
    figures_.cut_off = true;
    return true;
  }
  if (checker_ == Checker::kDfs) ScheduleAll(at);
  bool followed = false;
  // Choices are added while earlier ones are followed.
  for (uint32_t last = kNone;;) {
    const auto next = [&] {
      return last == kNone ? tree_.first_choice(at) : tree_.choice(last).next;
    };
    if (next() == kNone && (followed || !Extend(at))) return true;
    last = next();
    const Candidate& candidate = tree_.choice(last).candidate;
    if (!Allowed(candidate) || tree_.IsAsleep(at, candidate)) continue;
    followed = true;
    if (!Follow(at, last)) return false;
  }
}

void LocalExplorer::ScheduleAll(uint32_t at) {
  enabled_.clear();
  run_.Enabled(enabled_);
  for (const Candidate& candidate : enabled_) tree_.Schedule(at, candidate, {});
}

// Schedules something where nothing that this environment allows was scheduled so far. False if
// nothing could be.
bool LocalExplorer::Extend(uint32_t at) {
  enabled_.clear();
  run_.Enabled(enabled_);
  if (enabled_.empty()) {
    Complete();
    return false;
  }
  if (Seed(at, enabled_)) return true;
  // All events that are left lead to traces found elsewhere. Their ends are the same, but not all
  // races that can be reversed from here can be from there: an event asleep here has happened
  // there.
  if (checker_ == Checker::kDpor) ReverseMissed();
  ++figures_.blocked;
  return false;
}

// Schedules one enabled event, preferably one that leads to the reversal of a race. False if all of
// them are asleep.
bool LocalExplorer::Seed(uint32_t at, std::span<const Candidate> enabled) {
  TraceTree::Guide guide = tree_.TakeGuide(at);
  const Candidate* seed = nullptr;
  for (const Candidate& candidate : enabled) {
    if (tree_.IsAsleep(at, candidate)) continue;
    if (seed == nullptr) seed = &candidate;
    if (guide.empty() || !guide.front().Same(candidate)) continue;
    guide.erase(guide.begin());
    tree_.Schedule(at, candidate, std::move(guide));
    return true;
  }
  if (seed != nullptr) tree_.Schedule(at, *seed, {});
  return seed != nullptr;
}

bool LocalExplorer::Follow(uint32_t at, uint32_t choice) {
  const Candidate candidate = tree_.choice(choice).candidate;
  const uint32_t outcomes = run_.Outcomes(candidate);
  const bool fresh = tree_.choice(choice).children == kNone;
  if (!fresh && ReuseContinuations(tree_.choice(choice).children, outcomes)) return true;
  Positions past;
  races_.clear();
  run_.Order(candidate, past, races_);
  if (!Poll()) return false;
  if (fresh) {
    if (!budget_->TakeStep()) return false;
    Grow(at, choice, past, races_);
  }
  path_.push_back(at);
  bool lasted = true;
  for (uint32_t outcome = 0; lasted && outcome < outcomes; ++outcome) {
    run_.Apply(candidate, outcome, past);
    const size_t disabled = disabled_.size();
    if (checker_ == Checker::kDpor) NoteDisabled();
    lasted = Enter(tree_.choice(choice).children + outcome, fresh);
    disabled_.erase(disabled_.begin() + static_cast<std::ptrdiff_t>(disabled), disabled_.end());
    run_.Undo();
  }
  path_.pop_back();
  return lasted;
}

// Visits the node of the tree that the last transition has led to.
bool LocalExplorer::Enter(uint32_t at, bool fresh) {
  const Transition& last = run_.at(run_.size() - 1);
  const TransitionFilter before = prefix_;
  if (last.interface) prefix_.Add(last.signature);
  const TransitionFilter beside = std::exchange(reached_, prefix_);
  const size_t since = counts_.size();
  fresh_ = fresh;
  const bool lasted = Visit(at);
  // Most prefixes are visited once.
  if (lasted && !fresh && uses_cache_) {
    MergeCounts(since);
    continuations_.Add(at, reached_, std::span(counts_).subspan(since));
  }
  reached_.Add(beside);
  prefix_ = before;
  return lasted;
}

// Takes the traces behind all outcomes from the cache. False if they have to be visited again.
bool LocalExplorer::ReuseContinuations(uint32_t first, uint32_t outcomes) {
  if (!uses_cache_) return false;
  const size_t since = counts_.size();
  TransitionFilter transitions;
  for (uint32_t outcome = 0; outcome < outcomes; ++outcome) {
    const ContinuationCache::Entry* entry = continuations_.Find(first + outcome);
    if (entry == nullptr) {
      counts_.resize(since);
      return false;
    }
    transitions.Add(entry->transitions);
    counts_.insert(counts_.end(), entry->counts.begin(), entry->counts.end());
  }
  reached_.Add(transitions);
  return true;
}

// Leaves one entry for each behaviour, in their order.
void LocalExplorer::MergeCounts(size_t since) {
  const auto begin = counts_.begin() + static_cast<std::ptrdiff_t>(since);
  if (counts_.end() - begin < 2) return;
  std::sort(begin, counts_.end());
  auto last = begin;
  for (auto next = begin + 1; next != counts_.end(); ++next) {
    if (next->first == last->first) {
      last->second += next->second;
    } else {
      *++last = *next;
    }
  }
  counts_.erase(last + 1, counts_.end());
}

// Adds the nodes that a choice leads to.
void LocalExplorer::Grow(uint32_t at, uint32_t choice, const Positions& past,
                         std::span<const uint32_t> races) {
  const Candidate candidate = tree_.choice(choice).candidate;
  asleep_.clear();
  if (checker_ == Checker::kDpor) {
    ReverseRaces(candidate, past, races);
    const auto keep = [&](const Candidate& other) {
      if (Independent(other, candidate)) asleep_.push_back(other);
    };
    for (const Candidate& other : tree_.asleep(at)) keep(other);
    for (uint32_t c = tree_.first_choice(at); c != kNone; c = tree_.choice(c).next) {
      if (tree_.choice(c).children != kNone) keep(tree_.choice(c).candidate);
    }
  }
  const uint32_t outcomes = run_.Outcomes(candidate);
  tree_.Grow(at, choice, outcomes, asleep_);
  figures_.transitions += outcomes;
}

void LocalExplorer::Complete() {
  if (checker_ == Checker::kDpor) ReverseMissed();
  if (checker_ == Checker::kDfs && !traces_.insert(TraceSignature()).second) {
    ++figures_.blocked;
    return;
  }
  if (cuts_ && fresh_) CheckCuts();
  const auto number = static_cast<uint32_t>(behaviours_.size());
  const auto [found, fresh] = behaviour_of_.try_emplace(run_.LocalSignature(), number);
  if (fresh) {
    behaviours_.push_back(BehaviourOf(run_));
    behaviour_bytes_ += BytesOf(behaviours_.back());
  }
  counts_.emplace_back(found->second, 1);
}

// Called for new traces only: one that ends at a prefix that was visited before is part of a trace
// that was checked then.
void LocalExplorer::CheckCuts() {
  const model::InvariantSet broken = cuts_->CheckWithin(run_);
  if (broken != 0) suspects_.push_back({BehaviourOf(run_), broken});
}

void LocalExplorer::UpdateMeter() {
  const uint64_t bytes = tree_.bytes() + continuations_.bytes() + behaviour_bytes_;
  budget_->HoldBytes(meter_.Update(table_, bytes));
}

// Known prefixes take no steps, but time. False if no time is left.
bool LocalExplorer::Poll() {
  if (stop_ != nullptr && *stop_) return false;
  constexpr uint64_t kStride = 1024;
  if (++visits_ % kStride != 0) return true;
  UpdateMeter();
  return budget_->Poll();
}

Signature LocalExplorer::TraceSignature() const {
  std::vector<Signature> transitions;
  Signature sum;
  for (uint32_t position = 0; position < run_.size(); ++position) {
    const Transition& transition = run_.at(position);
    Signature past;
    transition.past.ForEach([&](size_t earlier) { past += transitions[earlier]; });
    transitions.push_back(SignatureOf(
        {{transition.candidate.number, transition.outcome}, transition.received, past}));
    sum += transitions.back();
  }
  return sum;
}

}  // namespace foretell::dir
