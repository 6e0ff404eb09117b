#include "foretell/agent/sidecar/steering/guard_desk.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {

using model::NodeId;
using snapshot::GuardAnswer;
using snapshot::Mode;

namespace {

std::vector<size_t> GuardedOf(const model::Service& service, const Config& config) {
  std::vector<size_t> guarded;
  const auto infos = service.invariants();
  for (size_t i = 0; i < infos.size() && guarded.size() < snapshot::kGuardedMax; ++i) {
    const bool always = !infos[i].eventually && !infos[i].when_stuck;
    if (always && config.ModeOf(infos[i].name) == Mode::kGuard) guarded.push_back(i);
  }
  return guarded;
}

snapshot::GuardTerms TermsOf(const model::Service& service, const Config& config,
                             const std::vector<size_t>& invariants) {
  snapshot::GuardTerms terms{.invariants = {}, .hold = config.hold};
  for (const size_t i : invariants) terms.invariants.push_back(service.invariants()[i].name);
  return terms;
}

}  // namespace

GuardDesk::GuardDesk(Parts parts)
    : parts_(std::move(parts)),
      invariants_(GuardedOf(parts_.service, parts_.config)),
      terms_(TermsOf(parts_.service, parts_.config, invariants_)),
      book_(parts_.service, {invariants_, parts_.decision_prefix}),
      not_guarded_(parts_.service.node_count(), "it was not reached yet"),
      broken_(invariants_.size()) {}

GuardDesk::Status GuardDesk::status() const {
  const model::MutexLock lock(mutex_);
  return {not_guarded_, book_.granted(), book_.refused(), lost_};
}

void GuardDesk::Joining(NodeId node) {
  GuardBook::Decisions decisions;
  {
    const model::MutexLock lock(mutex_);
    decisions = book_.Joining(node);
  }
  Send(decisions);
}

void GuardDesk::Joined(NodeId node, const snapshot::GuardJoined& joined) {
  GuardBook::Decisions decisions;
  std::vector<std::string> lines;
  {
    const model::MutexLock lock(mutex_);
    decisions = book_.Joined(node, joined);
    not_guarded_[node.index()] = book_.guarded(node) ? "" : "its answer does not fit";
    lines = TellBroken();
    lines.push_back(absl::StrCat("node ", node.value(),
                                 book_.guarded(node) ? " is guarded" : " cannot be guarded"));
    if (book_.complete()) lines.push_back("all nodes are guarded");
  }
  Send(decisions);
  for (const std::string& line : lines) parts_.log.Log("guard: " + line);
}

void GuardDesk::Lost(NodeId node, const std::string& why) {
  GuardBook::Decisions decisions;
  bool told = false;
  {
    const model::MutexLock lock(mutex_);
    const bool was = book_.guarded(node);
    decisions = book_.Lost(node);
    lost_ += was ? 1 : 0;
    told = was || not_guarded_[node.index()] != why;
    not_guarded_[node.index()] = why;
    for (auto reply = waiting_.lower_bound({node, 0});
         reply != waiting_.end() && reply->first.first == node;) {
      reply = waiting_.erase(reply);
    }
  }
  Send(decisions);
  if (!told) return;
  parts_.log.Log(absl::StrCat("guard: node ", node.value(), " is not guarded: ", why));
  if (!parts_.log.wants_events()) return;
  const nlohmann::ordered_json json = {{"node", node.value()}, {"why", why}};
  parts_.log.Event("foretell.guard.lost",
                   json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void GuardDesk::Ask(NodeId node, const snapshot::GuardStep& step, Reply answer) {
  GuardBook::Decisions decisions;
  std::vector<std::string> lines;
  {
    const model::MutexLock lock(mutex_);
    waiting_[{node, step.number}] = std::move(answer);
    decisions = book_.Ask(node, step);
    if (step.forced) lines = TellBroken();
  }
  Send(decisions);
  for (const std::string& line : lines) parts_.log.Log("guard: " + line);
}

void GuardDesk::Settled(NodeId node, const snapshot::GuardSettled& settled) {
  GuardBook::Decisions decisions;
  {
    const model::MutexLock lock(mutex_);
    decisions = book_.Settled(node, settled);
  }
  Send(decisions);
}

void GuardDesk::Overdue(NodeId node, uint64_t step) {
  GuardBook::Decisions decisions;
  {
    const model::MutexLock lock(mutex_);
    decisions = book_.Overdue(node, step);
  }
  Send(decisions);
}

void GuardDesk::Send(const GuardBook::Decisions& decisions) {
  for (const GuardBook::Decision& decision : decisions) {
    GuardAnswer answer = decision.answer;
    const bool refusal = !answer.granted && !answer.decision.empty();
    const bool audited = !refusal || Audit(decision);
    Reply reply;
    {
      const model::MutexLock lock(mutex_);
      // A refusal that nobody can account for later is none that we make.
      if (!audited) open_ = true;
      if (open_) answer.granted = true;
      const auto waiting = waiting_.find({decision.node, answer.step});
      if (waiting == waiting_.end()) continue;
      reply = std::move(waiting->second);
      waiting_.erase(waiting);
    }
    reply(answer);
  }
}

bool GuardDesk::Audit(const GuardBook::Decision& refusal) {
  const std::string text = absl::StrCat("at node ", refusal.node.value(), ": ",
                                        Printable(refusal.event, true), " ", refusal.reason);
  parts_.log.Log(absl::StrCat("guard: refused ", refusal.answer.decision, " ", text));
  if (parts_.log.wants_events()) {
    const nlohmann::ordered_json json = {{"decision", refusal.answer.decision},
                                         {"invariant", refusal.answer.invariant},
                                         {"node", refusal.node.value()},
                                         {"event", Printable(refusal.event, true)},
                                         {"why", refusal.reason}};
    parts_.log.Event("foretell.guard.refused",
                     json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  if (parts_.audit == nullptr) return true;
  const absl::Status status =
      parts_.audit->Write({.action = "guarded",
                           .decision = refusal.answer.decision,
                           .invariant = refusal.answer.invariant,
                           .mode = snapshot::ModeName(Mode::kGuard),
                           .why = refusal.reason,
                           .filters = {absl::StrCat("refuse ", Printable(refusal.event, true),
                                                    " at node ", refusal.node.value())}});
  if (!status.ok()) {
    parts_.log.Log(absl::StrCat("guard: nothing is refused without its entry in the audit log: ",
                                std::string(status.message())));
  }
  return status.ok();
}

std::vector<std::string> GuardDesk::TellBroken() {
  std::vector<std::string> lines;
  for (size_t i = 0; i < invariants_.size(); ++i) {
    std::vector<uint32_t> nodes = book_.Broken(i);
    if (nodes == broken_[i]) continue;
    broken_[i] = std::move(nodes);
    if (broken_[i].empty()) continue;
    lines.push_back(absl::StrCat(terms_.invariants[i], " is broken already, at nodes ",
                                 absl::StrJoin(broken_[i], ", ")));
  }
  return lines;
}

}  // namespace foretell::agent
