#include "foretell/integration/sdk/node/guard_line.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::integration::sdk {

using model::LiveNode;
using snapshot::GuardAnswer;
using snapshot::GuardTerms;
using snapshot::GuardView;
using snapshot::GuardViews;

namespace {

absl::StatusOr<std::vector<size_t>> InvariantsOf(const model::Service& service,
                                                 const GuardTerms& terms) {
  if (terms.invariants.size() > snapshot::kGuardedMax) {
    return absl::InvalidArgumentError(absl::StrCat("guard of ", terms.invariants.size(),
                                                   " invariants, limit ", snapshot::kGuardedMax));
  }
  if (terms.hold.count() <= 0 || terms.hold > snapshot::kHoldMax) {
    return absl::InvalidArgumentError(absl::StrCat("guard: a hold of ", terms.hold.count(),
                                                   " ms is not from 1 to ",
                                                   snapshot::kHoldMax.count()));
  }
  std::vector<size_t> found;
  const auto infos = service.invariants();
  for (const std::string& name : terms.invariants) {
    const auto info = std::find_if(infos.begin(), infos.end(),
                                   [&name](const auto& other) { return other.name == name; });
    if (info == infos.end() || info->eventually || info->when_stuck) {
      return absl::InvalidArgumentError(
          absl::StrCat("guard: this service has no invariant ", name, " that must always hold"));
    }
    found.push_back(static_cast<size_t>(info - infos.begin()));
  }
  return found;
}

}  // namespace

GuardLine::GuardLine(const model::Service& service, model::NodeId self,
                     std::optional<std::string> reborn, Stats& stats)
    : service_(service), self_(self), reborn_(std::move(reborn)), stats_(stats) {}

absl::StatusOr<snapshot::GuardJoined> GuardLine::Join(Session session, const GuardTerms& terms,
                                                      snapshot::GuardChannel channel,
                                                      const LiveNode& live) {
  if (terms.invariants.empty()) {
    End(session);
    return snapshot::GuardJoined{at_, {{}}};
  }
  auto invariants = InvariantsOf(service_, terms);
  if (!invariants.ok()) return invariants.status();
  if (!sessions_.contains(session) && sessions_.size() >= kSessionsMax) {
    return absl::ResourceExhaustedError(absl::StrCat(kSessionsMax, " agents guard this node"));
  }
  End(session);
  sessions_[session] = {*std::move(invariants), {}, terms.hold, std::move(channel), decided_};
  // Whoever was waited for is here.
  if (session != kNobody) sessions_.erase(kNobody);
  Watch();
  base_ = at_;
  tip_ = ViewOf(live);
  return snapshot::GuardJoined{at_, Pick(sessions_.at(session), ViewsOf(live))};
}

void GuardLine::End(Session session) {
  if (sessions_.erase(session) == 0) return;
  for (auto& [number, step] : waiting_) step.expired |= step.silent.erase(session) > 0;
  // Columns stay as they are, so that tip_ does; the next Join makes them anew.
  if (!sessions_.empty()) return;
  watched_.clear();
  mark_.clear();
}

void GuardLine::Await(const std::string& mark, const LiveNode& live) {
  const std::vector<std::string> lines = absl::StrSplit(mark, '\n');
  GuardTerms terms{.invariants = {lines.begin() + 1, lines.end()}};
  int64_t millis = 0;
  if (!absl::SimpleAtoi(lines.front(), &millis)) return;
  terms.hold = std::chrono::milliseconds(millis);
  const auto nobody = [](const auto&) {};
  // One that does not fit, perhaps of another version of the service, guards nothing.
  if (Join(kNobody, terms, {nobody, nobody, nobody}, live).ok()) return;
}

void GuardLine::Watch() {
  std::set<size_t> all;
  for (const auto& [id, guard] : sessions_) {
    all.insert(guard.invariants.begin(), guard.invariants.end());
  }
  watched_.assign(all.begin(), all.end());
  std::chrono::milliseconds hold{0};
  for (const auto& [id, guard] : sessions_) hold = std::max(hold, guard.hold);
  mark_ = absl::StrCat(hold.count());
  for (const size_t invariant : watched_) {
    absl::StrAppend(&mark_, "\n", service_.invariants()[invariant].name);
  }
  for (auto& [id, guard] : sessions_) {
    guard.columns.clear();
    for (const size_t invariant : guard.invariants) {
      const auto column = std::lower_bound(watched_.begin(), watched_.end(), invariant);
      guard.columns.push_back(static_cast<size_t>(column - watched_.begin()));
    }
  }
}

template <class Project>
GuardView GuardLine::ViewOf(Project project) const {
  GuardView view;
  view.reserve(watched_.size());
  for (const size_t invariant : watched_) view.push_back(project(invariant));
  return view;
}

GuardView GuardLine::ViewOf(const LiveNode& live) const {
  return ViewOf([&live](size_t invariant) { return live.Project(invariant); });
}

GuardViews GuardLine::ViewsOf(const LiveNode& live) const {
  const std::string left = reborn_ ? *reborn_ : live.Survivor();
  GuardViews views = {ViewOf(live), ViewOf([&](size_t invariant) {
                        return service_.Project(invariant, self_, left);
                      })};
  if (reborn_) return views;
  // The first of all choices that a restart may have: who restarts with a choice that invariants
  // see is not covered, and is told in the decision.
  const auto restarted = service_.MakeLive(self_, left);
  const auto result =
      restarted->Handle({.kind = model::EventKind::kRestart, .peer = model::NodeId(0), .body = ""},
                        [](uint32_t) { return 0u; });
  if (result.failure.empty()) views.push_back(ViewOf(*restarted));
  return views;
}

GuardViews GuardLine::Pick(const Guard& guard, const GuardViews& views) {
  GuardViews picked;
  for (const GuardView& view : views) {
    GuardView one;
    for (const size_t column : guard.columns) one.push_back(view[column]);
    if (std::find(picked.begin(), picked.end(), one) == picked.end()) {
      picked.push_back(std::move(one));
    }
  }
  return picked;
}

uint64_t GuardLine::Ask(const LiveNode& after, bool forced,
                        const std::function<std::string()>& describe, Time now) {
  if (sessions_.empty()) return 0;
  GuardView view = ViewOf(after);
  if (view == tip_) return 0;
  tip_ = std::move(view);
  const GuardViews views = ViewsOf(after);
  const std::string event = describe();
  const uint64_t number = ++last_;
  const uint64_t base = std::exchange(base_, number);
  Waiting& waiting = waiting_[number];
  waiting.since = now;
  waiting.answer.step = number;
  ++(forced ? stats_.guard_forced : stats_.guard_asked);
  // An agent may be told of a change that its own invariants do not see: numbers have no gaps.
  for (const auto& [id, guard] : sessions_) {
    if (!forced) waiting.silent.insert(id);
    guard.channel.ask({number, base, forced, Pick(guard, views), event});
  }
  return number;
}

void GuardLine::OnAnswer(Session session, const GuardAnswer& answer) {
  const auto step = waiting_.find(answer.step);
  if (step == waiting_.end() || step->second.silent.erase(session) == 0) return;
  if (!answer.granted && step->second.answer.granted) step->second.answer = answer;
}

std::optional<Time> GuardLine::Next() const {
  std::optional<Time> next;
  for (const auto& [number, step] : waiting_) {
    for (const Session session : step.silent) {
      const Time due = step.since + sessions_.at(session).hold;
      if (!next || due < *next) next = due;
    }
  }
  return next;
}

void GuardLine::OnTime(Time now) {
  std::set<Session> late;
  for (const auto& [number, step] : waiting_) {
    for (const Session session : step.silent) {
      if (now >= step.since + sessions_.at(session).hold) late.insert(session);
    }
  }
  for (const Session session : late) Lapse(session, "no answer within the hold");
}

void GuardLine::LapseWaiting(const std::string& why) {
  std::set<Session> silent;
  for (const auto& [number, step] : waiting_) {
    silent.insert(step.silent.begin(), step.silent.end());
  }
  for (const Session session : silent) Lapse(session, why);
}

void GuardLine::Lapse(Session session, const std::string& why) {
  const auto guard = sessions_.find(session);
  if (guard == sessions_.end()) return;
  ++stats_.guard_lapsed;
  const auto tell = std::move(guard->second.channel.lapsed);
  End(session);
  tell(why);
}

std::optional<GuardAnswer> GuardLine::AnswerOf(uint64_t step) const {
  const auto found = waiting_.find(step);
  if (found == waiting_.end()) return GuardAnswer{.step = step};
  const Waiting& waiting = found->second;
  if (!waiting.answer.granted || waiting.silent.empty()) return waiting.answer;
  return std::nullopt;
}

void GuardLine::Applied(uint64_t step, Time now) {
  at_ = std::max(at_, step);
  const auto found = waiting_.find(step);
  if (found == waiting_.end()) return;
  stats_.guard_expired += found->second.expired ? 1 : 0;
  const auto held = std::chrono::nanoseconds(now - found->second.since).count();
  stats_.guard_nanos += static_cast<uint64_t>(std::max<int64_t>(held, 0));
  waiting_.erase(waiting_.begin(), std::next(found));
  decided_ = std::max(decided_, step);
}

void GuardLine::Rollback(const LiveNode& live) {
  waiting_.clear();
  decided_ = last_;
  base_ = at_;
  if (!sessions_.empty()) tip_ = ViewOf(live);
}

void GuardLine::Settle() {
  for (auto& [id, guard] : sessions_) {
    if (std::exchange(guard.settled, decided_) != decided_) guard.channel.settled({at_, decided_});
  }
}

}  // namespace foretell::integration::sdk
