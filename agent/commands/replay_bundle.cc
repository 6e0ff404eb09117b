#include <algorithm>
#include <optional>
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
#include "foretell/agent/recorded/cut_changes.h"
#include "foretell/agent/recorded/recorded_bundle.h"
#include "foretell/agent/recorded/recorded_path.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"
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

// Of what has happened: how the last cuts came to it. Nobody saw what happened between them.
std::string HistoryText(const Bundle& bundle, const model::Service& service,
                        const TerminalStyle& style) {
  if (!bundle.path.empty() || bundle.earlier.empty()) return "";
  std::vector<snapshot::RecordedSnapshot> cuts = bundle.earlier;
  cuts.push_back(bundle.recorded);
  std::string out = "How the cuts before came to it:\n";
  for (const std::string& line : ChangesBetween(service, cuts)) {
    absl::StrAppend(&out, "  ", Printable(line, style.utf8), "\n");
  }
  return out + "\n";
}

// How the violation that is drawn compares to the one that was recorded.
std::string ComparedText(const SpaceTime& picture, const std::string& anew) {
  const size_t steps = picture.moments.size();
  const std::string away = absl::StrCat(steps, steps == 1 ? " step" : " steps", " away");
  if (!anew.empty()) {
    return absl::StrCat("STILL BREAKS from the recorded cut, ", away,
                        ", in another way. The recorded path: ", anew, "\n\n");
  }
  if (steps == 0) return "It had happened when the snapshot was taken.\n\n";
  return absl::StrCat("Reproduced: when the snapshot was taken, the violation was ", away, ".\n\n");
}

std::string TextOf(const Bundle& bundle, const model::Violation& violation,
                   const SpaceTime& picture, const std::string& anew, const model::Service& service,
                   const std::string& command, const TerminalStyle& style) {
  return absl::StrCat(Coloured(Printable(picture.title, style.utf8), Colour::kHead, style), "\n",
                      ComparedText(picture, Printable(anew, style.utf8)),
                      HistoryText(bundle, service, style), PlanText(bundle, service, style), "\n",
                      DeathText(violation, service, style), ViolationText(picture, command, style));
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

int NotReproduced(const Bundle& bundle, const absl::Status& why, const std::string& searched,
                  Console& console) {
  const TerminalStyle& style = console.out_style;
  console.out << Coloured(Printable(TitleOf(bundle), style.utf8), Colour::kHead, style) << "\n"
              << "NOT reproduced: " << Printable(std::string(why.message()), style.utf8) << "\n"
              << searched << std::flush;
  return kExitNothing;
}

// The recorded path is one of the code that recorded it; the cut is where others begin as well.
struct SearchedAgain {
  std::optional<model::Violation> violation;
  std::string text;  // If there is none: what that says.
};
absl::StatusOr<SearchedAgain> SearchAgain(const Parts& parts, const Selection& selection,
                                          const Bundle& bundle, Console& console) {
  constexpr std::chrono::seconds kSearchMax{10};
  const auto engine = SelectEngine(parts.engines, "");
  if (!engine.ok()) return engine.status();
  const Console::Time deadline = console.now() + kSearchMax;
  model::Budget budget({.deadline = deadline}, [&console, deadline] {
    return console.interrupted() ? deadline : console.now();
  });
  predictors::EngineOptions options;
  options.components = selection.system.components;
  options.progress = [](const model::Progress&) {};
  const model::SystemCut& start = StartOf(bundle);
  const auto explored = ExploreSpaces(**engine, options, *selection.system.service,
                                      {{start, start, ""}}, /*first_only=*/true, budget);
  if (!explored.ok()) return explored.status();
  if (!explored->report.violations.empty())
    return SearchedAgain{explored->report.violations[0], ""};
  return SearchedAgain{
      std::nullopt,
      explored->report.complete
          ? "No violation can be reached from the recorded cut: the whole space was covered.\n"
          : absl::StrCat("A search of ", kSearchMax.count(),
                         " s from the recorded cut found none, which proves nothing; "
                         "`foretell check --from` searches for longer.\n")};
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
  model::Catalog found;  // Of the plug-in that the bundle names; outlives the selection.
  const auto selection = SelectFor(*bundle, args.force, parts, found, console);
  if (!selection.ok()) return fail(selection.status());
  const model::Service& service = *selection->system.service;
  const absl::Status promised = CheckInvariant(service, bundle->invariant);
  if (!promised.ok()) return fail(promised);
  auto violation = Reproduce(service, *bundle);
  std::string anew;  // Why the recorded path is none, if another violation was found instead.
  if (violation.status().code() == absl::StatusCode::kFailedPrecondition) {
    const absl::Status why = violation.status();
    if (!args.force || IsEventual(service, bundle->invariant)) {
      return NotReproduced(*bundle, why, "", console);
    }
    auto again = SearchAgain(parts, *selection, *bundle, console);
    if (!again.ok()) return fail(again.status());
    if (!again->violation) return NotReproduced(*bundle, why, again->text, console);
    anew = std::string(why.message());
    violation = *std::move(again->violation);
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
            return TextOf(*bundle, *violation, *picture, anew, service, command, style);
          },
      .gtest = [&] { return GtestOf(*bundle, *selection, *violation, args.plugins); }};
  const absl::Status drawn = Draw(drawing, *picture, own, console);
  return drawn.ok() ? static_cast<int>(kExitViolation) : Fail(console, drawn);
}

}  // namespace foretell::agent
