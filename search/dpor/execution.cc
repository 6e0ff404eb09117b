#include "foretell/search/dpor/execution.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

Execution::Execution(ProcessSpace& space, Relation relation, uint32_t buffers)
    : space_(space),
      processes_(space.process_count()),
      relation_(relation),
      buffers_(buffers),
      states_(space.start().begin(), space.start().end()),
      last_(processes_, Event::kNone) {}

const Execution::Step* Execution::FindIn(ProcessIds state, Turn turn) {
  for (const Step& step : space_.Steps(state, turn.process)) {
    if (step.key == turn.key) return &step;
  }
  return nullptr;
}

std::span<const uint32_t> Execution::InTurns(Turns turns) {
  in_turns_.clear();
  for (uint32_t p = 0; p < processes_; ++p) {
    if (Enabled(p)) in_turns_.push_back(p);
  }
  if (turns == Turns::kDescending) std::reverse(in_turns_.begin(), in_turns_.end());
  if (turns != Turns::kOldest) return in_turns_;
  // A process makes its request as soon as its step before is done. kNone + 1 is 0.
  for (size_t i = 1; i < in_turns_.size(); ++i) {
    for (size_t j = i; j > 0 && last_[in_turns_[j]] + 1 < last_[in_turns_[j - 1]] + 1; --j) {
      std::swap(in_turns_[j], in_turns_[j - 1]);
    }
  }
  return in_turns_;
}

bool Execution::Depends(const Event& a, const Event& b) const {
  if (a.process == b.process) return true;
  switch (relation_) {
    case Relation::kAll: return true;
    case Relation::kExact: return DependentExactly(a.step->touched, b.step->touched);
    case Relation::kPaper:
    case Relation::kBuffers: break;
  }
  return DependentAsPrinted(a.step->touched, a.communication, b.step->touched, b.communication,
                            relation_ == Relation::kBuffers);
}

const Touched* Execution::Meeting(uint32_t post, size_t i) const {
  const Touched& touched = events_[i].step->touched;
  if (touched.kind == Touched::Kind::kLook || touched.posts.size() < 2) return nullptr;
  return touched.posts[0] == post || touched.posts[1] == post ? &touched : nullptr;
}

// Goes by the post that came first, and by the number of the receive. A Wait is for what has met.
Communication Execution::CommunicationOf(const Touched& touched, size_t begin,
                                         std::span<const uint32_t> then) const {
  if (touched.kind != Touched::Kind::kLook || touched.several) return {};
  const Touched* met = nullptr;
  for (size_t i = 0; i < begin && met == nullptr; ++i) met = Meeting(touched.posts[0], i);
  for (size_t i = 0; i < then.size() && met == nullptr; ++i) {
    met = Meeting(touched.posts[0], then[i]);
  }
  if (met == nullptr) return {touched.posts[0], Communication::kNone};
  const uint32_t receive = met->posts[met->kind == Touched::Kind::kRecv ? 0 : 1];
  return {met->posts[1], space_.PostOf(receive).number % buffers_};
}

Execution::Event Execution::EventAfter(uint32_t process, const Step& step, size_t begin,
                                       std::span<const uint32_t> then) const {
  Event event{process, 0, &step, Event::kNone, {}};
  if (relation_ == Relation::kPaper || relation_ == Relation::kBuffers) {
    event.communication = CommunicationOf(step.touched, begin, then);
  }
  return event;
}

void Execution::Push(uint32_t process, const Step& step) {
  Event event = EventAfter(process, step, size(), {});
  event.previous = last_[process];
  if (event.previous != Event::kNone) event.nth = events_[event.previous].nth + 1;
  const size_t stride = processes_ + 1;
  states_.resize((size() + 2) * stride);
  uint32_t* const next = states_.data() + (size() + 1) * stride;
  std::copy_n(next - stride, stride, next);
  next[process] = step.process;
  next[processes_] = step.office;
  Order(event);
  last_[process] = static_cast<uint32_t>(size());
  events_.push_back(event);
}

void Execution::Order(const Event& event) {
  const uint32_t n = processes_;
  const size_t at = size();
  clocks_.resize((at + 1) * n);
  uint32_t* const own = clocks_.data() + at * n;
  if (event.previous == Event::kNone) {
    std::fill(own, own + n, 0);
  } else {
    std::copy_n(clock(event.previous), n, own);
  }
  races_begin_.push_back(static_cast<uint32_t>(races_.size()));
  for (size_t i = at; i-- > 0;) {
    const Event& before = events_[i];
    if (own[before.process] > before.nth || !Depends(before, event)) continue;
    races_.push_back(static_cast<uint32_t>(i));
    const uint32_t* const theirs = clock(i);
    for (uint32_t p = 0; p < n; ++p) own[p] = std::max(own[p], theirs[p]);
  }
  own[event.process] = event.nth + 1;
}

void Execution::Truncate(size_t size) {
  if (size < events_.size()) {
    races_.resize(races_begin_[size]);
    races_begin_.resize(size);
  }
  while (events_.size() > size) {
    last_[events_.back().process] = events_.back().previous;
    events_.pop_back();
  }
}

void Execution::Forget() {
  std::vector<Turn> turns;
  for (size_t i = 0; i < size(); ++i) turns.push_back(turn(i));
  Truncate(0);
  space_.Forget();
  states_.assign(space_.start().begin(), space_.start().end());
  for (const Turn turn : turns) {
    const Step* const step = Find(turn);
    FORETELL_CHECK(step != nullptr);
    Push(turn.process, *step);
  }
}

}  // namespace foretell::search
