#include "foretell/agent/check/verdict.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/advice.h"
#include "foretell/agent/check/liveness_text.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/drawing/text_diagram.h"

namespace foretell::agent {
namespace {

using model::Outcome;
using Limit = model::Budget::Limit;

std::string StatesText(const model::Stats& stats) {
  // Global states of a local checker are those that its verification looked at.
  const bool local = stats.soundness_checks.has_value();
  if (stats.global_states && !local)
    return absl::StrCat(ShortCount(*stats.global_states), " states");
  if (stats.node_states) return absl::StrCat(ShortCount(*stats.node_states), " node states");
  return absl::StrCat(ShortCount(stats.transitions.value_or(0)), " transitions");
}

// What came first: the limit that ended the search, in words.
std::string EndText(const CheckRecord& record, const CheckRequest& asked) {
  const Bounds& bounds = asked.bounds;
  if (record.interrupted) return "before it was interrupted";
  switch (record.ended_by) {
    case Limit::kTime:
      return absl::StrCat("before the budget of ",
                          FormatSeconds(static_cast<double>(bounds.time.count()) / 1e3), " ended");
    case Limit::kSteps:
      return absl::StrCat("before the budget of ", FormatCount(bounds.steps), " steps ended");
    case Limit::kMemory:
      return absl::StrCat("before the memory limit of ", FormatBytes(bounds.bytes), " was reached");
    case Limit::kNone: break;
  }
  return asked.options.depth_max == UINT32_MAX
             ? "in the part that was searched"
             : absl::StrCat("within the depth bound of ", FormatCount(asked.options.depth_max));
}

Colour ColourOf(const model::Report& report) {
  const bool bad =
      report.outcome == Outcome::kViolation || report.outcome == Outcome::kNondeterminism;
  return bad ? Colour::kBad : report.complete ? Colour::kGood : Colour::kHead;
}

void AppendWrapped(std::string& out, const std::string& text, Colour colour,
                   const TerminalStyle& style) {
  const std::string clean = Printable(text, style.utf8);
  for (const std::string& line : Wrap(clean, std::max<size_t>(style.columns, 60) - 2)) {
    absl::StrAppend(&out, "  ", Coloured(line, colour, style), "\n");
  }
}

}  // namespace

std::string VerdictSentence(const CheckRecord& record, const CheckRequest& asked) {
  const model::Report& report = record.report;
  if (report.liveness) return LivenessSentence(record);
  switch (report.outcome) {
    case Outcome::kViolation: {
      const std::string names = absl::StrJoin(
          report.violations, ", ", [](std::string* out, const model::Violation& violation) {
            absl::StrAppend(out, violation.invariant);
          });
      return report.violations.size() == 1
                 ? absl::StrCat("Violation of ", names, ".")
                 : absl::StrCat(report.violations.size(), " violations: ", names, ".");
    }
    case Outcome::kNondeterminism:
      return "NOT DETERMINISTIC: the service does not always answer the same; nothing else can be "
             "said about it.";
    case Outcome::kNone:
      if (report.complete) {
        return absl::StrCat("No violation: the whole space was covered (complete), ",
                            StatesText(report.stats), ".");
      }
      return absl::StrCat("No violation found; ", StatesText(report.stats), ", not complete.");
    case Outcome::kBudget: break;
  }
  return absl::StrCat("No violation found ", EndText(record, asked), "; ", StatesText(report.stats),
                      ", not complete.");
}

std::string FiguresText(const CheckRecord& record) {
  const model::Stats& stats = record.report.stats;
  std::vector<std::string> figures;
  const auto add = [&](const model::Stats::Count& count, const char* what) {
    if (count) figures.push_back(absl::StrCat(FormatCount(*count), " ", what));
  };
  add(stats.global_states, "states");
  add(stats.node_states, "node states");
  add(stats.transitions, "transitions");
  add(stats.handler_executions, "handler runs");
  if (stats.depth) figures.push_back(absl::StrCat("depth ", FormatCount(*stats.depth)));
  figures.push_back(FormatSeconds(record.seconds));
  figures.push_back(absl::StrCat(FormatBytes(record.peak_rss_bytes), " peak memory"));
  // Small searches are all overhead: the figure would only mislead.
  constexpr uint64_t kStatesMin = 1'000'000;
  if (stats.visited_bytes && stats.global_states.value_or(0) >= kStatesMin) {
    const uint64_t per_state = *stats.visited_bytes / *stats.global_states;
    figures.push_back(absl::StrCat(FormatCount(per_state), " bytes per state"));
  }
  return absl::StrJoin(figures, ", ");
}

std::string CoveredSentence(const CheckRecord& record) {
  const Outcome outcome = record.report.outcome;
  if (outcome != Outcome::kNone && outcome != Outcome::kBudget) return "";
  return predictors::CoverageText(record.coverage);
}

std::string ViolationText(const SpaceTime& picture, const std::string& command,
                          const TerminalStyle& style) {
  const size_t steps = picture.moments.size();
  std::string out =
      Coloured(absl::StrCat("VIOLATION of ", Printable(picture.invariant, style.utf8), ", ", steps,
                            steps == 1 ? " step" : " steps", " from the start"),
               Colour::kBad, style);
  absl::StrAppend(&out, "\n\n", DrawText(picture, style), "\n", "Find it again:\n  ",
                  Printable(command, style.utf8), "\n");
  return out;
}

std::string VerdictText(const CheckRecord& record, const std::vector<SpaceTime>& pictures,
                        const CheckRequest& asked, const std::string& command,
                        const TerminalStyle& style) {
  std::string out;
  for (size_t i = 0; i < pictures.size(); ++i) {
    absl::StrAppend(&out, ViolationText(pictures[i], command, style), "\n");
    if (record.report.violations[i].death == nullptr) continue;
    for (const std::string& line : DeathLines(record, i)) {
      AppendWrapped(out, line, Colour::kPlain, style);
    }
    out += "\n";
  }
  absl::StrAppend(&out, Coloured(Printable(TitleOf(record), style.utf8), Colour::kHead, style),
                  "\n");
  AppendWrapped(out, VerdictSentence(record, asked), ColourOf(record.report), style);
  if (const std::string cuts = CutsSentence(record); !cuts.empty()) {
    AppendWrapped(out, cuts, Colour::kPlain, style);
  }
  AppendWrapped(out, FiguresText(record), Colour::kDim, style);
  if (const std::string covered = CoveredSentence(record); !covered.empty()) {
    AppendWrapped(out, covered, Colour::kPlain, style);
  }
  for (size_t i = 0; i < record.opinions.size(); ++i) {
    if (record.opinions[i].empty()) continue;
    AppendWrapped(out,
                  absl::StrCat("Second opinion on ", record.report.violations[i].invariant, ": ",
                               record.opinions[i]),
                  Colour::kPlain, style);
  }
  for (const std::string& note : record.report.notes) {
    AppendWrapped(out, "Note: " + note, Colour::kPlain, style);
  }
  if (const std::string advice = BoundAdvice(record, asked); !advice.empty()) {
    AppendWrapped(out, advice, Colour::kPlain, style);
  }
  return out;
}

}  // namespace foretell::agent
