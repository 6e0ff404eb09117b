#include "foretell/agent/sidecar/steering/enforcer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/model/describe.h"
#include "foretell/snapshot/archive/cut_hash.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {
namespace {

using snapshot::Filter;
using snapshot::Mode;

constexpr uint64_t kCutBytesPerSecond = 4 << 20;

// Of messages to nodes. The kill switch may have to wait for one of each kind before its own, and
// all of them together are to take less than a second.
constexpr std::chrono::milliseconds kTimeoutMax{250};

std::string Words(const model::Service& service, const Filter& filter) {
  return absl::StrCat(snapshot::FilterKindName(filter.kind), " ",
                      Printable(Describe(service, filter.node, filter.event), true));
}

VetoEvent EventOf(const model::Service& service, const Filter& filter, std::optional<VetoEnd> end) {
  return {.decision = filter.decision,
          .invariant = filter.invariant,
          .mode = filter.mode,
          .kind = filter.kind,
          .node = filter.node.value(),
          .lease = filter.lease,
          .end = end,
          .text = Words(service, filter)};
}

// Of all invariants, or of those that must always hold.
std::map<std::string, Mode> ActiveModes(const model::Service& service, const Config& config,
                                        bool always) {
  std::map<std::string, Mode> modes;
  for (const model::InvariantInfo& invariant : service.invariants()) {
    const Mode mode = config.ModeOf(invariant.name);
    const bool seen = !invariant.when_stuck && !(always && invariant.eventually);
    if (snapshot::Steers(mode) && seen) modes[invariant.name] = snapshot::VetoMode(mode);
  }
  return modes;
}

const Alert* AlertOf(const std::vector<Alert>* alerts, const std::string& invariant) {
  if (alerts == nullptr) return nullptr;
  for (const Alert& alert : *alerts) {
    if (alert.predicted.violation.invariant == invariant) return &alert;
  }
  return nullptr;
}

void AddSnapshot(const snapshot::RecordedSnapshot& snapshot, AuditEntry& entry) {
  entry.snapshot = snapshot.snapshot.number;
  entry.snapshot_hash =
      absl::StrCat(absl::Hex(snapshot::CutHash(snapshot.snapshot.cut), absl::kZeroPad16));
}

void AddPath(const model::Service& service, const model::Path& path, AuditEntry& entry) {
  for (const model::PathStep& step : path) {
    entry.path.push_back(Printable(Describe(service, step.node, step.event), true));
  }
}

}  // namespace

Enforcer::Enforcer(Parts parts)
    : parts_(std::move(parts)),
      modes_(ActiveModes(parts_.service, parts_.config, /*always=*/false)),
      immediate_(ActiveModes(parts_.service, parts_.config, /*always=*/true)),
      timeout_(std::min(parts_.config.collect_timeout, kTimeoutMax)),
      desk_({.lease = parts_.config.lease,
             .filters_max = parts_.config.filters_max,
             .decision_prefix = parts_.decision_prefix}),
      company_({.name = parts_.agent_name, .life = parts_.decision_prefix}),
      rate_(parts_.config.rate_max),
      cut_taken_(parts_.service.node_count()),
      vetoes_taken_(parts_.service.node_count()),
      last_filter_error_(parts_.service.node_count()) {
  const model::MutexLock lock(mutex_);
  Introduce();
}

void Enforcer::Introduce() {
  std::map<std::string, Mode> modes;
  if (killed_.empty()) {
    for (const auto& [invariant, mode] : modes_) modes[invariant] = ModeNow(mode);
  }
  parts_.client.Introduce(modes);
}

void Enforcer::Meet(const std::vector<absl::StatusOr<snapshot::NodeCounters>>& counters) {
  std::vector<VetoDesk::Change> changes;
  {
    const model::MutexLock lock(mutex_);
    company_.Read(counters);
    if (!modes_.empty() && killed_.empty()) changes = TakeOver();
  }
  LogCompany();
  Record(changes, {nullptr, nullptr, "an earlier life of this agent made it"});
}

std::vector<VetoDesk::Change> Enforcer::TakeOver() {
  const std::vector<std::string>& left = company_.left();
  if (std::all_of(left.begin(), left.end(), [](const auto& life) { return life.empty(); })) {
    return {};
  }
  std::vector<Filter> kept;
  for (const snapshot::RpcClient::Adopted& filters : parts_.client.Adopt(left, timeout_)) {
    if (!filters.ok()) continue;  // It ends with its lease.
    for (const Filter& filter : *filters) {
      const auto mode = modes_.find(filter.invariant);
      if (mode != modes_.end() && ModeNow(mode->second) >= filter.mode) kept.push_back(filter);
    }
  }
  std::vector<VetoDesk::Change> changes = desk_.TakeOver(kept, parts_.now());
  Send();  // What was not kept ends.
  return changes;
}

void Enforcer::LogCompany() {
  std::set<std::string> now;
  for (const Company::Member& member : company()) {
    std::string key = absl::StrCat(member.agent.life, member.connected);
    for (const auto& [invariant, mode] : member.agent.modes) {
      absl::StrAppend(&key, "\n", invariant, "=", snapshot::ModeName(mode));
    }
    now.insert(key);
    if (greeted_.contains(key)) continue;
    const std::string text = TextOf(member, WallNow());
    parts_.log.Log(text);
    Audit({.action = member.own ? "found" : "another agent", .why = text});
  }
  greeted_ = std::move(now);
}

void Enforcer::HandOutCut(const snapshot::RecordedSnapshot& snapshot) {
  const model::MutexLock lock(mutex_);
  if (modes_.empty()) return;
  if (!killed_.empty()) {
    // A node that could not be reached when the switch was thrown is told as soon as it can be.
    if (parts_.now() < retract_until_ && Send() && SendCut({})) retract_until_ = {};
    return;
  }
  cut_taken_.assign(cut_taken_.size(), immediate_.empty());
  vetoes_taken_.assign(vetoes_taken_.size(), false);
  if (immediate_.empty()) return;
  if (parts_.now() < next_cut_) return;
  // Large states must not keep nodes busy with our cuts.
  uint64_t bytes = 0;
  for (const model::NodeState& node : snapshot.snapshot.cut.nodes) bytes += node.body.size();
  next_cut_ = parts_.now() + std::chrono::nanoseconds(bytes * 1'000'000'000 / kCutBytesPerSecond);
  std::map<std::string, Mode> modes = immediate_;
  for (auto& [invariant, mode] : modes) mode = ModeNow(mode);
  SendCut({.number = snapshot.snapshot.number,
           .cut = snapshot.snapshot.cut,
           .modes = std::move(modes),
           .lease = parts_.config.lease});
}

std::vector<std::string> Enforcer::Steer(const snapshot::RecordedSnapshot& snapshot,
                                         const std::vector<Alert>& alerts, bool conclusive) {
  std::vector<std::string> decisions(alerts.size());
  std::vector<size_t> wanted_by;  // Index of the alert.
  for (size_t i = 0; i < alerts.size(); ++i) {
    wanted_by.insert(wanted_by.end(), alerts[i].plan.filters.size(), i);
  }
  std::vector<VetoDesk::Change> changes;
  bool idle = false;
  bool fallen_back = false;
  {
    const model::MutexLock lock(mutex_);
    if (modes_.empty() || !killed_.empty()) return decisions;
    fallen_back = rate_.fallen_back();
    std::vector<Filter> wanted = Wanted(alerts);
    changes = Rate(wanted, alerts);
    idle = wanted.empty() && changes.empty() && desk_.vetoes().empty();
    vetoes_taken_.assign(vetoes_taken_.size(), idle);
    for (VetoDesk::Change& change :
         desk_.Update(wanted, conclusive, snapshot.snapshot.number, parts_.now())) {
      changes.push_back(std::move(change));
    }
  }
  RecordFallBack(fallen_back);
  const Context context{&snapshot, &alerts, "predicted"};
  RecordNoPlan(alerts, context);
  if (idle) return decisions;
  const bool audited = Record(changes, context);
  if (!audited) {
    // A veto that nobody can account for later is none that we make.
    parts_.log.Log("no veto without its entry in the audit log: all are taken back");
  }
  {
    const model::MutexLock lock(mutex_);
    if (!killed_.empty()) return decisions;  // Thrown meanwhile: nothing goes out any more.
    if (!audited) desk_.Clear();
    Send();
  }
  FlushLog();
  const size_t first = changes.size() - wanted_by.size();
  for (size_t w = 0; audited && w < wanted_by.size(); ++w) {
    const VetoDesk::Change& change = changes[first + w];
    std::string& decision = decisions[wanted_by[w]];
    const bool in_force = change.action != VetoDesk::Action::kRefused;
    if (decision.empty() && in_force) decision = change.filter.decision;
  }
  return decisions;
}

Mode Enforcer::ModeNow(Mode mode) const {
  const Mode wanted = snapshot::VetoMode(mode);
  return rate_.fallen_back() ? std::min(wanted, Mode::kShadow) : wanted;
}

std::vector<Filter> Enforcer::Wanted(const std::vector<Alert>& alerts) const {
  std::vector<Filter> wanted;
  for (const Alert& alert : alerts) {
    for (Filter filter : alert.plan.filters) {
      filter.mode = ModeNow(alert.mode);
      filter.invariant = alert.predicted.violation.invariant;
      wanted.push_back(std::move(filter));
    }
  }
  return wanted;
}

std::vector<VetoDesk::Change> Enforcer::Rate(std::vector<Filter>& wanted,
                                             const std::vector<Alert>& alerts) {
  const bool before = rate_.fallen_back();
  rate_.Add(desk_.CountNew(wanted), parts_.now());
  if (rate_.fallen_back() == before) return {};
  wanted = Wanted(alerts);
  Introduce();
  next_cut_ = {};  // The nodes' own check is to know soon.
  return desk_.Clear();
}

void Enforcer::RecordFallBack(bool before) {
  const std::string why = fallen_back();
  if (why.empty() == !before) return;
  parts_.log.Log(why.empty() ? "vetoes are few again: enforced from now on"
                             : "FALLEN BACK: " + why);
  Audit({.action = why.empty() ? "enforcing again" : "fallen back", .why = why});
}

void Enforcer::RecordNoPlan(const std::vector<Alert>& alerts, const Context& context) {
  std::set<std::string> now;
  for (const Alert& alert : alerts) {
    const model::Violation& violation = alert.predicted.violation;
    const bool steers = snapshot::Steers(alert.mode);
    // What has happened already is nothing to plan for.
    if (!steers || !alert.plan.filters.empty() || violation.path.empty()) continue;
    const std::string key = StoryOf(alert);
    if (!now.insert(key).second || no_plan_.contains(key)) continue;
    AuditEntry entry{.action = "no plan",
                     .invariant = violation.invariant,
                     .mode = snapshot::ModeName(alert.mode),
                     .why = alert.plan.text};
    AddSnapshot(*context.snapshot, entry);
    AddPath(parts_.service, violation.path, entry);
    Audit(entry);
  }
  no_plan_ = std::move(now);
}

void Enforcer::Expire() {
  std::vector<VetoDesk::Change> changes;
  {
    const model::MutexLock lock(mutex_);
    changes = desk_.Update({}, /*conclusive=*/false, 0, parts_.now());
  }
  Record(changes, {nullptr, nullptr, "its lease is over"});
}

void Enforcer::Kill(const std::string& reason) {
  std::vector<VetoDesk::Change> changes;
  {
    const model::MutexLock lock(mutex_);
    if (reason == killed_) return;
    killed_ = reason;
    if (!reason.empty() && !modes_.empty()) changes = TakeBack();
    Introduce();
  }
  if (reason.empty()) {
    parts_.log.Log("kill switch released: vetoes are possible again");
    Audit({.action = "revived"});
    return;
  }
  parts_.log.Log("kill switch thrown " + reason + ": all vetoes are taken back");
  FlushLog();
  Record(changes, {nullptr, nullptr, "kill switch thrown " + reason});
  Audit({.action = "killed", .why = reason});
}

void Enforcer::Stop() {
  std::vector<VetoDesk::Change> changes;
  {
    const model::MutexLock lock(mutex_);
    if (modes_.empty()) return;
    changes = TakeBack();
  }
  Record(changes, {nullptr, nullptr, "the agent ends"});
}

std::vector<VetoDesk::Change> Enforcer::TakeBack() {
  std::vector<VetoDesk::Change> changes = desk_.Clear();
  const bool filters = Send();
  const bool cut = SendCut({});
  retract_until_ = filters && cut ? Time{} : parts_.now() + parts_.config.lease;
  return changes;
}

bool Enforcer::Send() {
  const auto answers =
      parts_.client.SetFilters(desk_.ByNode(parts_.service.node_count(), parts_.now()), timeout_);
  bool all = true;
  for (size_t n = 0; n < answers.size() && n < last_filter_error_.size(); ++n) {
    const std::string why(answers[n].message());
    all = all && answers[n].ok();
    vetoes_taken_[n] = answers[n].ok();
    if (why == std::exchange(last_filter_error_[n], why) || answers[n].ok()) continue;
    pending_log_.push_back(absl::StrCat("node ", n, " did not take its filters: ", why));
  }
  return all;
}

void Enforcer::FlushLog() {
  std::vector<std::string> lines;
  {
    const model::MutexLock lock(mutex_);
    lines.swap(pending_log_);
  }
  for (const std::string& line : lines) parts_.log.Log(line);
}

bool Enforcer::SendCut(const snapshot::SafetyCut& cut) {
  const auto answers = parts_.client.SetSafetyCut(cut, timeout_);
  for (size_t n = 0; n < answers.size() && n < cut_taken_.size(); ++n) {
    cut_taken_[n] = answers[n].ok();
  }
  return std::all_of(answers.begin(), answers.end(),
                     [](const auto& answer) { return answer.ok(); });
}

bool Enforcer::Record(const std::vector<VetoDesk::Change>& changes, const Context& context) {
  bool audited = true;
  for (const VetoDesk::Change& change : changes) {
    if (change.action == VetoDesk::Action::kRenewed) continue;
    audited = RecordOne(change, context) && audited;
  }
  return audited;
}

bool Enforcer::RecordOne(const VetoDesk::Change& change, const Context& context) {
  using Action = VetoDesk::Action;
  const Filter& filter = change.filter;
  AuditEntry entry{.action = ActionName(change.action),
                   .decision = filter.decision,
                   .invariant = filter.invariant,
                   .mode = snapshot::ModeName(filter.mode),
                   .why = context.why,
                   .filters = {Words(parts_.service, filter)}};
  if (context.snapshot != nullptr) AddSnapshot(*context.snapshot, entry);
  if (change.action == Action::kTakenOver) {
    parts_.telemetry.VetoApplied(EventOf(parts_.service, filter, std::nullopt));
  } else if (change.action == Action::kApplied) {
    {
      const model::MutexLock lock(mutex_);
      ++applied_[filter.invariant];
    }
    if (const auto* alert = AlertOf(context.alerts, filter.invariant)) {
      entry.why = alert->plan.text;
      entry.assumes = alert->plan.assumes;
      AddPath(parts_.service, alert->predicted.violation.path, entry);
    }
    parts_.telemetry.VetoApplied(EventOf(parts_.service, filter, std::nullopt));
  } else if (change.action == Action::kRefused) {
    entry.why = absl::StrCat("there are ", parts_.config.filters_max, " already");
  } else {
    if (change.action == Action::kRemoved && context.snapshot != nullptr) {
      entry.why = "the last round no longer needs it";
    }
    const VetoEnd end = change.action == Action::kExpired ? VetoEnd::kLease
                        : context.snapshot == nullptr     ? VetoEnd::kKilled
                                                          : VetoEnd::kNotNeeded;
    parts_.telemetry.VetoExpired(EventOf(parts_.service, filter, end));
  }
  parts_.log.Log(absl::StrCat("veto ", entry.action, " (", entry.mode, ") ", filter.decision, ": ",
                              entry.filters.front()));
  if (parts_.log.wants_events()) {
    nlohmann::ordered_json json = {
        {"decision", filter.decision}, {"invariant", filter.invariant},   {"mode", entry.mode},
        {"node", filter.node.value()}, {"filter", entry.filters.front()}, {"why", entry.why}};
    parts_.log.Event("foretell.veto." + entry.action,
                     json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return Audit(entry);
}

bool Enforcer::Audit(const AuditEntry& entry) {
  if (parts_.audit == nullptr) return true;
  const absl::Status status = parts_.audit->Write(entry);
  if (!status.ok()) parts_.log.Log(std::string(status.message()));
  return status.ok();
}

std::vector<VetoDesk::Veto> Enforcer::vetoes() const {
  const model::MutexLock lock(mutex_);
  return desk_.vetoes();
}

bool Enforcer::in_force(model::NodeId node) const {
  const model::MutexLock lock(mutex_);
  if (modes_.empty()) return true;
  return killed_.empty() && cut_taken_[node.index()] && vetoes_taken_[node.index()];
}

std::string Enforcer::killed() const {
  const model::MutexLock lock(mutex_);
  return killed_;
}

std::string Enforcer::fallen_back() const {
  const model::MutexLock lock(mutex_);
  if (!rate_.fallen_back()) return "";
  return absl::StrCat("Vetoes are only shadowed: ", rate_.in_window(),
                      " new ones within a minute, and veto.rate_max is ", parts_.config.rate_max,
                      ".");
}

std::vector<Company::Member> Enforcer::company() const {
  const model::MutexLock lock(mutex_);
  return company_.members();
}

uint64_t Enforcer::applied(const std::string& invariant) const {
  const model::MutexLock lock(mutex_);
  const auto found = applied_.find(invariant);
  return found == applied_.end() ? 0 : found->second;
}

}  // namespace foretell::agent
