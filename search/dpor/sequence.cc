#include "foretell/search/dpor/sequence.h"

#include <algorithm>

namespace foretell::search {
namespace {

void Go(uint32_t process, const Execution::Step& step, std::vector<uint32_t>& state) {
  state[process] = step.process;
  state.back() = step.office;
}

// What gives a Wait for one thing what it waits for. REQUIRES: no post has the number of another.
bool Gives(const Execution::Step& first, const Execution::Step& later) {
  if (!later.blocks || later.touched.several) return false;
  return first.touched.kind != Touched::Kind::kLook &&
         (first.touched.post_signs & later.touched.post_signs) != 0 &&
         std::any_of(later.touched.posts.begin(), later.touched.posts.end(), [&](uint32_t post) {
           return std::find(first.touched.posts.begin(), first.touched.posts.end(), post) !=
                  first.touched.posts.end();
         });
}

}  // namespace

bool Sequence::Reverse(size_t first, size_t later) {
  const bool named = !execution_.space().histories().any_became();
  if (named && Gives(execution_.step(first), execution_.step(later))) return false;
  begin_ = first;
  process_ = execution_.turn(later).process;
  without_.clear();
  for (size_t i = first + 1; i < execution_.size(); ++i) {
    if (!execution_.Before(first, i)) without_.push_back(static_cast<uint32_t>(i));
  }
  return true;
}

std::optional<bool> Sequence::BeginsAnyway(Turn turn) {
  const auto kept = std::find_if(without_.begin(), without_.end(), [&](uint32_t event) {
    return execution_.turn(event).process == turn.process;
  });
  if (kept != without_.end()) {
    return execution_.turn(*kept) == turn &&
           std::none_of(without_.begin(), kept,
                        [&](uint32_t before) { return execution_.Before(before, *kept); });
  }
  if (turn.process != process_) return std::nullopt;
  // It is what the later event comes to if it has nothing to do with any of them.
  const auto steps = execution_.space().Steps(execution_.state(begin_), process_);
  if (steps.size() != 1 || steps.front().key != turn.key) return std::nullopt;
  const Execution::Event event = execution_.EventAfter(process_, steps.front(), begin_, {});
  const bool depends = std::any_of(without_.begin(), without_.end(), [&](uint32_t before) {
    return execution_.Depends(execution_.event(before), event);
  });
  return depends ? std::nullopt : std::optional(true);
}

std::span<const Execution::Step> Sequence::Ways() {
  closing_.clear();
  const ProcessIds from = execution_.state(begin_);
  before_.assign(from.begin(), from.end());
  // Nothing that is left out makes a difference to these.
  for (const uint32_t event : without_) {
    const Turn turn = execution_.turn(event);
    const Execution::Step* const step = execution_.FindIn(before_, turn);
    if (step == nullptr) return {};  // A relation that is not one: Relation::kBuffers.
    Go(turn.process, *step, before_);
  }
  return execution_.space().Steps(before_, process_);
}

void Sequence::Close(uint32_t process, const Execution::Step& step) {
  closing_.push_back({process, &step});
  Restore();
}

void Sequence::Reopen() {
  closing_.pop_back();
  Restore();
}

void Sequence::Restore() {
  entries_.clear();
  for (const uint32_t event : without_) {
    entries_.push_back({execution_.turn(event), event, execution_.event(event)});
  }
  end_ = before_;
  for (const auto& [process, step] : closing_) {
    entries_.push_back({{process, step->key},
                        std::nullopt,
                        execution_.EventAfter(process, *step, begin_, without_)});
    Go(process, *step, end_);
  }
}

std::span<const Execution::Step> Sequence::StepsAfter(uint32_t process) {
  return execution_.space().Steps(end_, process);
}

// What closes the sequence may be another event than in the execution: then what it depends on
// directly is enough, since what comes before that has been left behind before.
bool Sequence::Free(size_t i) const {
  const Entry& entry = entries_[i];
  return std::none_of(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Entry& before) {
                        return entry.kept ? execution_.Before(*before.kept, *entry.kept)
                                          : execution_.Depends(before.event, entry.event);
                      });
}

Sequence::First Sequence::CanBegin(Turn turn) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].turn.process != turn.process) continue;
    return entries_[i].turn == turn && Free(i) ? First::kYes : First::kNo;
  }
  const Execution::Step* const step = execution_.FindIn(end_, turn);
  if (step == nullptr) return First::kNo;
  const Execution::Event event = execution_.EventAfter(turn.process, *step, begin_, without_);
  const bool free = std::none_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return execution_.Depends(entry.event, event);
  });
  if (!free) return First::kNo;
  return StepsAfter(turn.process).size() > 1 ? First::kIfChosen : First::kYes;
}

void Sequence::Begin(Turn turn) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(),
                   [&](const Entry& e) { return e.turn.process == turn.process; });
  if (entry != entries_.end()) {
    entries_.erase(entry);
  } else {
    Go(turn.process, *execution_.FindIn(end_, turn), end_);
  }
}

}  // namespace foretell::search
