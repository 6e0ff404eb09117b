#include "foretell/search/dpor/execution.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

Execution::Execution(ProcessSpace& space, const ProcessIds& start, Relation relation,
                     uint32_t buffers)
    : space_(space),
      relation_(relation),
      buffers_(buffers),
      states_{start},
      last_(space.process_count()) {}

const ProcessSpace::Step* Execution::Find(Turn turn) {
  for (const ProcessSpace::Step& step : Steps(turn.process)) {
    if (step.key == turn.key) return &step;
  }
  return nullptr;
}

bool Execution::AnyEnabled() {
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (Enabled(p)) return true;
  }
  return false;
}

std::vector<uint32_t> Execution::Oldest() {
  std::vector<uint32_t> processes;
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (Enabled(p)) processes.push_back(p);
  }
  // A process makes its request as soon as its step before is done. Nothing is less than 0.
  std::stable_sort(processes.begin(), processes.end(),
                   [this](uint32_t a, uint32_t b) { return last_[a] < last_[b]; });
  return processes;
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

// Goes by the post that came first, and by the number of the receive. A Wait is for what has met.
Communication Execution::CommunicationOf(const Touched& touched) const {
  if (touched.kind != Touched::Kind::kLook || touched.several) return {};
  for (const Event& event : events_) {
    const Touched& post = event.step->touched;
    if (post.kind == Touched::Kind::kLook || post.posts.size() < 2) continue;
    if (post.posts[0] != touched.posts[0] && post.posts[1] != touched.posts[0]) continue;
    const uint32_t receive = post.posts[post.kind == Touched::Kind::kRecv ? 0 : 1];
    return {post.posts[1], space_.PostOf(receive).number % buffers_};
  }
  return {touched.posts[0], Communication::kNone};
}

void Execution::Push(uint32_t process, const ProcessSpace::Step& step) {
  Event event{process, 0, &step, {}, last_[process]};
  if (event.previous) event.nth = events_[*event.previous].nth + 1;
  if (relation_ == Relation::kPaper || relation_ == Relation::kBuffers) {
    event.communication = CommunicationOf(step.touched);
  }
  if (states_.size() == events_.size() + 1) states_.emplace_back();
  ProcessIds& next = states_[events_.size() + 1];
  next = states_[events_.size()];
  next[process] = step.process;
  next.back() = step.office;
  Order(event);
  last_[process] = static_cast<uint32_t>(events_.size());
  events_.push_back(event);
}

void Execution::Order(const Event& event) {
  const uint32_t n = process_count();
  const size_t at = events_.size();
  clocks_.resize((at + 1) * n);
  uint32_t* const own = clocks_.data() + at * n;
  std::fill(own, own + n, 0);
  if (event.previous) std::copy_n(clock(*event.previous), n, own);
  if (races_.size() == at) races_.emplace_back();
  std::vector<uint32_t>& races = races_[at];
  races.clear();
  for (size_t i = at; i-- > 0;) {
    const Event& before = events_[i];
    if (own[before.process] > before.nth || !Depends(before, event)) continue;
    races.push_back(static_cast<uint32_t>(i));
    const uint32_t* const theirs = clock(i);
    for (uint32_t p = 0; p < n; ++p) own[p] = std::max(own[p], theirs[p]);
  }
  own[event.process] = event.nth + 1;
}

void Execution::Truncate(size_t size) {
  while (events_.size() > size) {
    last_[events_.back().process] = events_.back().previous;
    events_.pop_back();
  }
}

Execution Execution::Prefix(size_t size) const {
  Execution prefix = *this;
  prefix.Truncate(size);
  return prefix;
}

model::Path Execution::Path(std::span<const ProcessSpace::Part> before) const {
  std::vector<ProcessSpace::Part> parts(before.begin(), before.end());
  for (const Event& event : events_) {
    parts.insert(parts.end(), event.step->parts.begin(), event.step->parts.end());
  }
  return space_.PathOf(parts);
}

}  // namespace foretell::search
