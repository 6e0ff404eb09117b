// What the sidecar shows on its page.

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/report/findings.h"
#include "foretell/agent/sidecar/sidecar.h"
#include "foretell/model/describe.h"

namespace foretell::agent {

StatusPage Sidecar::status() const {
  const model::MutexLock lock(status_mutex_);
  return status_;
}

absl::Status Sidecar::going() const {
  const Config& config = parts_.config;
  // Planning can take as long as the search, and both can be a little late.
  const auto most = config.period + 4 * config.budget + 8 * config.collect_timeout;
  const auto since = parts_.now() - last_ended_.load();
  if (since <= 3 * most) return absl::OkStatus();
  return absl::DeadlineExceededError(
      absl::StrCat("no round has ended for ",
                   std::chrono::duration_cast<std::chrono::seconds>(since).count(), " s"));
}

absl::Status Sidecar::collecting() const {
  const model::MutexLock lock(status_mutex_);
  return collecting_;
}

absl::Status Sidecar::archiving() const {
  const model::MutexLock lock(status_mutex_);
  return archiving_;
}

std::optional<uint64_t> Sidecar::HitsOf(const snapshot::Filter& filter) const {
  const auto found = hits_.find({filter.node, filter.decision});
  if (found == hits_.end()) return std::nullopt;
  return found->second;
}

void Sidecar::AddAgents(StatusPage& page) const {
  using Wall = std::chrono::system_clock::duration;
  const UnixTime now = parts_.wall_now();
  for (const Company::Member& member : parts_.enforcer.company()) {
    const std::string text = TextOf(member, now);
    page.agents.push_back({Printable(member.agent.name, true), member.own, member.connected,
                           std::chrono::time_point_cast<Wall>(now - member.known_for),
                           member.filters, text});
    page.findings.push_back({"agents", true, text});
  }
}

void Sidecar::Publish(const RoundRecord& record, const absl::Status& collecting) {
  StatusPage page;
  for (const model::InvariantInfo& invariant : parts_.service.invariants()) {
    if (invariant.eventually) continue;
    const auto steps = record.steps_away.find(invariant.name);
    page.invariants.push_back(
        {invariant.name, parts_.config.ModeOf(invariant.name),
         steps == record.steps_away.end() ? std::nullopt : std::optional(steps->second),
         reporter_.reported(invariant.name), parts_.enforcer.applied(invariant.name)});
  }
  for (const LifeRecord& life : record.lives) {
    page.lives.push_back({life.property, parts_.config.ModeOf(life.property), life.life, life.dead,
                          life.text, history_.GapText(life.property),
                          reporter_.reported(life.property),
                          parts_.enforcer.applied(life.property)});
  }
  page.last_round = {.number = record.number,
                     .start = record.start,
                     .duration = record.duration,
                     .outcome = record.outcome,
                     .detail = Printable(record.error, true),
                     .exact = record.snapshot && record.snapshot->exact};
  if (record.snapshot) page.last_round->snapshot_bytes = record.snapshot->bytes;
  const GuardDesk::Status guard = parts_.guard.status();
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    const NodeRecord& node = record.nodes[n];
    page.nodes.push_back(
        {.id = node.node,
         .address = snapshot::ToString(parts_.config.nodes[n].address),
         .up = node.answer == NodeAnswer::kOk,
         .status = absent_[n].answer ? absent_[n].reason : NodeAnswerName(node.answer),
         .checkpoint = checkpoints_[n],
         .overhead = overheads_[n],
         .guard = parts_.guard.terms().invariants.empty() ? ""
                  : guard.not_guarded[n].empty()          ? "guarded"
                                                 : "not guarded: " + guard.not_guarded[n]});
  }
  for (const EngineRecord& engine : record.engines) {
    page.engines.push_back({engine.engine, engine.space, engine.outcome,
                            absl::StrJoin(FaultsOf(engine), "; "), engine.states, engine.depth,
                            engine.timing.duration});
  }
  page.predictions = reporter_.recent();
  using Wall = std::chrono::system_clock::duration;
  const Time now = parts_.now();
  for (const VetoDesk::Veto& veto : parts_.enforcer.vetoes()) {
    const auto left = std::chrono::duration_cast<Wall>(veto.until - now);
    page.vetoes.push_back(
        {veto.filter.decision, veto.filter.invariant, veto.filter.mode, veto.filter.kind,
         veto.filter.node.value(),
         Printable(Describe(parts_.service, veto.filter.node, veto.filter.event), true),
         HitsOf(veto.filter),
         record.start + std::chrono::duration_cast<Wall>(record.duration) + left});
  }
  page.findings =
      FindingsOf({record, parts_.config, parts_.service, archiving(), reporter_.bundles()});
  AddAgents(page);
  page.killed = parts_.enforcer.killed();
  page.rounds = rounds_.load();
  page.updated = record.start;
  const model::MutexLock lock(status_mutex_);
  page.service = status_.service;
  page.version = status_.version;
  page.started = status_.started;
  status_ = std::move(page);
  collecting_ = collecting;
}

}  // namespace foretell::agent
