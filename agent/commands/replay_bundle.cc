#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/commands/replay.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/drawing/drawing.h"
#include "foretell/agent/formats/gtest_path.h"
#include "foretell/agent/recorded/recorded_path.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/nearest_name.h"
#include "foretell/predictors/death_search.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

using snapshot::Bundle;

std::string TitleOf(const Bundle& bundle) {
  const snapshot::Origin& origin = bundle.recorded.origin;
  return absl::StrCat(origin.service, ", scenario ", origin.scenario,
                      origin.bug.empty() ? "" : ", bug ", origin.bug, ", engine ", bundle.engine,
                      ", snapshot ", bundle.recorded.snapshot.number, " of ",
                      FormatTime(bundle.recorded.taken));
}

const model::SystemCut& StartOf(const Bundle& bundle) {
  return bundle.imagined.nodes.empty() ? bundle.recorded.snapshot.cut : bundle.imagined;
}

// What the agent would have done about it. The plan is as little trusted as the rest of the file.
std::string PlanText(const Bundle& bundle, const model::Service& service,
                     const TerminalStyle& style) {
  if (bundle.plan.empty() && bundle.plan_text.empty()) {
    return "The invariant was only observed: nobody looked for a way to stop it.\n";
  }
  if (bundle.plan.empty()) {
    return absl::StrCat(
        "Nothing is known that would stop it: ", Printable(bundle.plan_text, style.utf8), "\n");
  }
  std::string out = "What would stop it:\n";
  for (const snapshot::Filter& filter : bundle.plan) {
    const bool known =
        filter.node.value() < service.node_count() && ValidateEvent(service, filter.event).ok();
    const std::string what = known ? model::Describe(service, filter.node, filter.event)
                                   : "an event that is none of this service";
    absl::StrAppend(&out, "  ", snapshot::FilterKindName(filter.kind), " ",
                    Printable(what, style.utf8), "\n");
  }
  if (!bundle.plan_text.empty()) {
    absl::StrAppend(&out, "  ", Printable(bundle.plan_text, style.utf8), "\n");
  }
  return out;
}

// Of a death: what the proof found beside the path.
std::string DeathText(const model::Violation& violation, const model::Service& service,
                      const TerminalStyle& style) {
  if (!violation.death) return "";
  const model::Death& death = *violation.death;
  const auto line = [&](const std::string& text) { return Printable(text, style.utf8) + "\n"; };
  std::string out = line(absl::StrCat("proof:    ", death.proof.states,
                                      death.proof.states == 1 ? " state, " : " states, ",
                                      model::ProofName(death.proof.how)));
  if (death.critical_step > 0) {
    out += line(absl::StrCat("critical: step ", death.critical_step,
                             death.by_loss ? ", and what is in flight then is lost" : ""));
  }
  const size_t shared = SharedSteps(death);
  for (size_t i = shared; i < death.twin.size(); ++i) {
    out += line((i == shared ? "instead:  " : "          ") +
                model::Describe(service, death.twin[i].node, death.twin[i].event));
  }
  for (const model::Cure& cure : death.cures) {
    out += line(absl::StrCat("cure:     ", model::CureText(cure)));
  }
  return out + "\n";
}

std::string TextOf(const Bundle& bundle, const model::Violation& violation,
                   const SpaceTime& picture, const model::Service& service,
                   const std::string& command, const TerminalStyle& style) {
  const size_t steps = picture.moments.size();
  return absl::StrCat(Coloured(Printable(picture.title, style.utf8), Colour::kHead, style), "\n",
                      "Reproduced: when the snapshot was taken, the violation was ", steps,
                      steps == 1 ? " step" : " steps", " away.\n\n",
                      PlanText(bundle, service, style), "\n", DeathText(violation, service, style),
                      ViolationText(picture, command, style));
}

absl::StatusOr<std::string> GtestOf(const Bundle& bundle, const Selection& selection,
                                    const model::Violation& violation,
                                    const std::vector<std::string>& plugins) {
  const snapshot::Origin& origin = bundle.recorded.origin;
  return WriteGtest({.service = origin.service,
                     .scenario = origin.scenario,
                     .bug = origin.bug,
                     .invariant = violation.invariant,
                     .why = violation.text,
                     .system = selection.system,
                     .start = StartOf(bundle),
                     .path = violation.path,
                     .plugins = plugins});
}

int NotReproduced(const Bundle& bundle, const absl::Status& why, Console& console) {
  const TerminalStyle& style = console.out_style;
  console.out << Coloured(Printable(TitleOf(bundle), style.utf8), Colour::kHead, style) << "\n"
              << "NOT reproduced: " << Printable(std::string(why.message()), style.utf8) << "\n"
              << std::flush;
  return kExitNothing;
}

bool IsEventual(const model::Service& service, const std::string& invariant) {
  const auto infos = service.invariants();
  return std::any_of(infos.begin(), infos.end(), [&](const model::InvariantInfo& info) {
    return info.name == invariant && info.eventually;
  });
}

// The violation of the bundle, as it is today. That a liveness predicate does not hold at the end
// of a path is nothing yet: it must be dead there, and a file's word is no proof.
absl::StatusOr<model::Violation> Reproduce(const model::Service& service, const Bundle& bundle) {
  auto violation = ReplayRecorded(service, StartOf(bundle), bundle.invariant, bundle.path);
  if (!violation.ok() || !IsEventual(service, bundle.invariant)) return violation;
  constexpr uint64_t kStepsMax = 20'000'000;  // Some seconds of work at most.
  model::Budget enough({.steps_max = kStepsMax}, [] { return model::Budget::Time{}; });
  auto death =
      predictors::ConfirmDeath(service, StartOf(bundle), bundle.invariant, violation->path, enough);
  if (!death.ok()) return death.status();
  if (*death) return **std::move(death);
  return absl::FailedPreconditionError(
      absl::StrCat("the path replays, but where it ends ", bundle.invariant,
                   enough.spent() ? " was not proved to be dead within the limit on steps"
                                  : " is not dead any more"));
}

// A path cannot break what the service does not promise.
absl::Status CheckInvariant(const model::Service& service, const std::string& invariant) {
  std::vector<std::string> names = {model::kLocalAssertions};
  for (const model::InvariantInfo& info : service.invariants()) names.push_back(info.name);
  if (std::find(names.begin(), names.end(), invariant) != names.end()) return absl::OkStatus();
  return model::UnknownName("invariant", invariant, names);
}

absl::StatusOr<Selection> SelectFor(const ReplayArgs& args, const Parts& parts,
                                    const Bundle& bundle, Console& console) {
  auto selection = SelectOrigin(parts.catalog, bundle.recorded.origin);
  if (selection.status().code() != absl::StatusCode::kFailedPrecondition) return selection;
  const std::string why(selection.status().message());
  if (!args.force) {
    return absl::FailedPreconditionError(absl::StrCat(why, "; --force replays it all the same"));
  }
  console.err << "foretell: warning: " << Printable(why, console.err_style.utf8) << "\n";
  return SelectAnyVersion(parts.catalog, bundle.recorded.origin);
}

}  // namespace

int ReplayBundle(const ReplayArgs& args, const Parts& parts, Console& console) {
  const DrawingRequest drawing{args.format, args.output};
  if (absl::Status known = CheckDrawing(drawing); !known.ok()) return Fail(console, known);
  const auto bundle = snapshot::ReadBundle(args.file);
  if (!bundle.ok()) return Fail(console, bundle.status());
  const auto fail = [&](const absl::Status& status) {
    return Fail(console, absl::InvalidArgumentError(
                             absl::StrCat(args.file, ": ", std::string(status.message()))));
  };
  const auto selection = SelectFor(args, parts, *bundle, console);
  if (!selection.ok()) return fail(selection.status());
  const model::Service& service = *selection->system.service;
  const absl::Status promised = CheckInvariant(service, bundle->invariant);
  if (!promised.ok()) return fail(promised);
  const auto violation = Reproduce(service, *bundle);
  if (violation.status().code() == absl::StatusCode::kFailedPrecondition) {
    return NotReproduced(*bundle, violation.status(), console);
  }
  if (!violation.ok()) return fail(violation.status());
  const model::SystemCut start = DrawingStart(service, StartOf(*bundle), bundle->focus, *violation);
  const auto picture = BuildSpaceTime(service, start, *violation, TitleOf(*bundle));
  if (!picture.ok()) return fail(picture.status());
  std::string command =
      absl::StrCat("foretell replay ", ShellWord(args.file), args.force ? " --force" : "");
  for (const std::string& plugin : args.plugins)
    absl::StrAppend(&command, " --plugin ", ShellWord(plugin));
  const OwnForms own{
      .text =
          [&](const TerminalStyle& style) {
            return TextOf(*bundle, *violation, *picture, service, command, style);
          },
      .gtest = [&] { return GtestOf(*bundle, *selection, *violation, args.plugins); }};
  const absl::Status drawn = Draw(drawing, *picture, own, console);
  return drawn.ok() ? static_cast<int>(kExitViolation) : Fail(console, drawn);
}

}  // namespace foretell::agent
