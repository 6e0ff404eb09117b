#include "foretell/agent/commands/check_plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"
#include "foretell/dir/trace/components.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

absl::Status Prefixed(const char* option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", std::string(status.message())));
}

// What must be the same for a journal to be of use, as far as the engine does not know itself.
std::string JournalIdentity(const CheckPlan& plan) {
  const Selection& selection = plan.selection;
  return absl::StrCat(selection.service, " ", selection.family->version(), ", scenario ",
                      selection.scenario, ", bug ", selection.bug.empty() ? "none" : selection.bug);
}

// Results of other handlers would be taken for results of these.
absl::Status PlanJournal(CheckPlan& plan) {
  if (plan.request.options.journal.empty()) return absl::OkStatus();
  if (plan.selection.family->version() == model::kUnversioned) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--journal: service ", plan.selection.service,
        " does not say which version of its handlers this is; its family has to say version()"));
  }
  plan.request.options.journal_identity = JournalIdentity(plan);
  return absl::OkStatus();
}

absl::Status PlanComponents(CheckPlan& plan) {
  if (!plan.engine->accepts.contains(predictors::EngineOption::kComponents)) {
    return absl::OkStatus();
  }
  const model::System& system = plan.selection.system;
  std::string& components = plan.request.options.components;
  if (components.empty()) {
    components = system.components;
    if (components.empty()) return absl::OkStatus();
    plan.notes.push_back(absl::StrCat("Components as in the scenario: ", components, "."));
    return absl::OkStatus();
  }
  const auto parsed = dir::Components::Parse(components, system.service->node_count());
  return parsed.ok() ? absl::OkStatus() : Prefixed("--components", parsed.status());
}

absl::Status ExpectSame(const char* what, const std::string& asked, const std::string& recorded) {
  if (asked.empty() || asked == recorded) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("its ", what, " is '", recorded, "', not '", asked, "'"));
}

void NoteStart(const RecordedStart& start, CheckPlan& plan) {
  const snapshot::Snapshot& cut = start.recorded.snapshot;
  plan.notes.push_back(absl::StrCat("Started from ", start.name, "."));
  if (!cut.exact) {
    plan.notes.push_back(absl::StrCat("The cut is not exact: ", absl::StrJoin(cut.notes, "; ")));
  }
  for (const snapshot::Loss& loss : start.lost) {
    plan.notes.push_back(absl::StrCat("Lost of that archive: ", LossText(loss), "."));
  }
  if (plan.spaces.size() > 1) {
    plan.notes.push_back(absl::StrCat(plan.spaces.size(), " spaces were imagined from it."));
  }
}

// The cuts of the same run before the start, which engine live judges as well.
void PlanEarlier(RecordedStart start, CheckPlan& plan) {
  if (start.left_out > 0) {
    plan.notes.push_back(
        absl::StrCat(start.left_out, " earlier cuts were left out: not exact, or too many."));
  }
  if (start.earlier.empty()) return;
  for (snapshot::RecordedSnapshot& recorded : start.earlier) {
    plan.cut_numbers.push_back(recorded.snapshot.number);
    plan.request.options.earlier.push_back(std::move(recorded.snapshot.cut));
  }
  plan.cut_numbers.push_back(start.recorded.snapshot.number);
}

// The service and the cut that --from names.
absl::Status PlanRecorded(const Parts& parts, bool force, CheckPlan& plan) {
  const CheckRequest& request = plan.request;
  const bool all = !request.options.property.empty();
  auto start = LoadStart(request.from, all ? Earlier::kAll : Earlier::kNone);
  if (!start.ok()) return start.status();
  const snapshot::Origin& origin = start->recorded.origin;
  absl::Status same = ExpectSame("service", request.service, origin.service);
  if (same.ok()) same = ExpectSame("scenario", request.scenario, origin.scenario);
  if (same.ok()) same = ExpectSame("bug", request.bug, origin.bug);
  if (!same.ok()) return Prefixed(request.from.c_str(), same);
  auto selection = SelectOrigin(parts.catalog, origin);
  // Whether the code of today still breaks from there is what --force is for. A cut that is none of
  // its states is refused below, by name.
  if (selection.status().code() == absl::StatusCode::kFailedPrecondition) {
    const std::string why(selection.status().message());
    if (!force) {
      return absl::FailedPreconditionError(
          absl::StrCat(request.from, ": ", why, "; --force checks it all the same"));
    }
    plan.notes.push_back(absl::StrCat("Another version: ", why, "; checked all the same."));
    selection = SelectAnyVersion(parts.catalog, origin);
  }
  if (!selection.ok()) return Prefixed(request.from.c_str(), selection.status());
  plan.selection = *std::move(selection);
  plan.spaces = std::move(start->spaces);
  if (plan.spaces.empty()) {
    auto spaces = SpacesOf(*plan.selection.system.service, start->recorded.snapshot.cut);
    if (!spaces.ok()) return Prefixed(request.from.c_str(), spaces.status());
    plan.spaces = *std::move(spaces);
  }
  NoteStart(*start, plan);
  PlanEarlier(*std::move(start), plan);
  return absl::OkStatus();
}

bool Fits(const absl::StatusOr<Selection>& selection, const std::string& property) {
  if (!selection.ok() || property.empty()) return selection.ok();
  const auto infos = selection->system.service->invariants();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const model::InvariantInfo& info) { return info.name == property; });
}

// Not every scenario knows every bug and every property. Who names no scenario wants one that does:
// the default one, or else the first.
absl::StatusOr<Selection> FirstFitting(const Parts& parts, absl::StatusOr<Selection> first,
                                       CheckPlan& plan) {
  const CheckRequest& request = plan.request;
  const model::ServiceFamily* const family = model::FindFamily(parts.catalog, request.service);
  if (family == nullptr || Fits(first, request.options.property)) return first;
  for (const model::Named& scenario : family->scenarios()) {
    auto next = Select(parts.catalog, request.service, scenario.name, request.bug);
    if (!Fits(next, request.options.property)) continue;
    plan.notes.push_back(
        absl::StrCat("Scenario ", scenario.name, ", the first that goes with what was asked for."));
    return next;
  }
  return first;
}

absl::Status PlanStart(const Parts& parts, bool force, CheckPlan& plan) {
  const CheckRequest& request = plan.request;
  if (!request.from.empty()) return PlanRecorded(parts, force, plan);
  auto selection = Select(parts.catalog, request.service, request.scenario, request.bug);
  if (request.scenario.empty()) selection = FirstFitting(parts, std::move(selection), plan);
  if (!selection.ok()) return selection.status();
  plan.selection = *std::move(selection);
  const model::SystemCut& start = plan.selection.system.start;
  plan.spaces.push_back({start, start, ""});
  return absl::OkStatus();
}

// Who asks for an engine by name must not take its silence for an answer.
absl::Status PlanCover(const CheckPlan& plan) {
  if (!plan.engine->covers) return absl::OkStatus();
  for (const model::Imagined& space : plan.spaces) {
    const absl::Status covered = plan.engine->covers(*plan.selection.system.service, space.focus);
    if (!covered.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(plan.selection.service, ": ",
                                                     std::string(covered.message()),
                                                     "; `foretell check --help` lists others"));
    }
  }
  return absl::OkStatus();
}

// Who asks for a property and names no engine wants one that can tell.
std::string LivenessEngine(const std::vector<predictors::Engine>& engines) {
  for (const predictors::Engine& engine : engines) {
    if (engine.liveness) return engine.name;
  }
  return "";
}

absl::Status PlanProperty(CheckPlan& plan) {
  const std::string& property = plan.request.options.property;
  std::vector<std::string> names;
  for (const model::InvariantInfo& info : plan.selection.system.service->invariants()) {
    if (info.eventually) names.push_back(info.name);
    if (!info.eventually && info.name == property) {
      return absl::InvalidArgumentError(
          absl::StrCat("--property: ", property,
                       " must always hold; leave out --property to search for a "
                       "violation of it"));
    }
  }
  if (property.empty() && plan.engine->liveness) {
    return absl::InvalidArgumentError(absl::StrCat(
        "engine ", plan.engine->name, " judges one liveness predicate: name it with --property",
        names.empty() ? absl::StrCat("; service ", plan.selection.service, " has none")
                      : absl::StrCat(" ", absl::StrJoin(names, "|"))));
  }
  if (property.empty()) return absl::OkStatus();
  if (names.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--property: service ", plan.selection.service, " has no liveness predicate"));
  }
  if (std::find(names.begin(), names.end(), property) == names.end()) {
    return Prefixed("--property", model::UnknownName("liveness predicate", property, names));
  }
  // The focus of an imagined space leaves out what does not matter to invariants; here it may.
  for (model::Imagined& space : plan.spaces) space.focus = space.cut;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CheckPlan> MakePlan(const CheckWords& words, const Parts& parts) {
  auto request = ReadRequest(words);
  if (!request.ok()) return request.status();
  CheckPlan plan{.request = *std::move(request)};
  const bool force = words.options.contains("--force");
  if (force && plan.request.from.empty()) {
    return absl::InvalidArgumentError("--force means something only to --from");
  }
  absl::Status status = PlanStart(parts, force, plan);
  if (!status.ok()) return status;
  if (plan.request.engine.empty() && !plan.request.options.property.empty()) {
    plan.request.engine = LivenessEngine(parts.engines);
  }
  const auto engine = SelectEngine(parts.engines, plan.request.engine);
  if (!engine.ok()) return engine.status();
  plan.engine = *engine;
  status = PlanProperty(plan);
  if (!status.ok()) return status;
  status = CheckAccepted(words, *plan.engine, parts.engines);
  if (status.ok()) status = PlanComponents(plan);
  if (status.ok()) status = PlanJournal(plan);
  if (status.ok()) status = PlanCover(plan);
  if (!status.ok()) return status;
  return plan;
}

}  // namespace foretell::agent
