#include "foretell/agent/recorded/archive_summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using model::Outcome;

// An invariant over all cuts: those that break it themselves, and those from which it can be
// broken, are two rows.
struct Row {
  size_t cuts = 0;
  size_t first = 0;       // Index of the first of them.
  Prediction prediction;  // There.
};
using RowKey = std::pair<std::string, bool>;  // The invariant, and whether it has happened.

struct Figures {
  size_t checked = 0;
  size_t complete = 0;
  size_t failed = 0;
  size_t nondeterministic = 0;
  std::string failure;  // The first.
  std::map<RowKey, Row> rows;
  double median = 0;
  double longest = 0;
};

Figures Count(const std::vector<CutVerdict>& verdicts) {
  Figures figures;
  std::vector<double> seconds;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const CutVerdict& verdict = verdicts[i];
    if (!verdict.done) continue;
    if (!verdict.status.ok()) {
      if (figures.failed++ == 0) figures.failure = std::string(verdict.status.message());
      continue;
    }
    ++figures.checked;
    figures.complete += verdict.complete ? 1 : 0;
    figures.nondeterministic += verdict.outcome == Outcome::kNondeterminism ? 1 : 0;
    seconds.push_back(verdict.seconds);
    for (const Prediction& prediction : verdict.predictions) {
      Row& row = figures.rows[{prediction.invariant, prediction.happened()}];
      if (row.cuts++ == 0) row = {1, i, prediction};
    }
  }
  if (seconds.empty()) return figures;
  std::sort(seconds.begin(), seconds.end());
  figures.median = seconds[(seconds.size() - 1) / 2];
  figures.longest = seconds.back();
  return figures;
}

std::string FirstText(const Row& row, const ArchiveCheckPlan& plan) {
  const snapshot::ArchiveEntry& entry = plan.entries[row.first];
  const std::string when = absl::StrCat("snapshot ", entry.number, ", ", FormatTime(entry.taken));
  if (row.prediction.happened()) return when;
  return absl::StrCat(
      when, ", ", row.prediction.steps, row.prediction.steps == 1 ? " step" : " steps", " away",
      row.prediction.imagined.empty() ? "" : "; imagined: ", row.prediction.imagined);
}

void AppendRows(const ArchiveSummary& summary, const ArchiveCheckPlan& plan, const Figures& figures,
                const TerminalStyle& style, std::string& out) {
  constexpr auto kLeft = Table::Align::kLeft;
  Table table({.columns = {{kLeft}, {kLeft}, {Table::Align::kRight, 6}, {kLeft}}, .indent = 2});
  table.Add({"VIOLATION", "", "CUTS", "FIRST"});
  for (const auto& [key, row] : figures.rows) {
    table.Add({Printable(key.first, style.utf8), key.second ? "happened" : "predicted",
               FormatCount(row.cuts), Printable(FirstText(row, plan), style.utf8)});
  }
  for (Colour colour = Colour::kHead; const std::string& line : table.Lines(style)) {
    absl::StrAppend(&out, Coloured(line, std::exchange(colour, Colour::kBad), style), "\n");
  }
  const auto first = std::min_element(
      figures.rows.begin(), figures.rows.end(),
      [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  const size_t index = first->second.first;
  CheckWords closer{.service = plan.selections[index]->service, .plugins = summary.plugins};
  const std::string from = absl::StrCat(summary.file, "#", plan.entries[index].number);
  closer.options["--from"] = from;
  // What cannot be named there, or need not be: known paths, and the cut itself.
  const std::string& finder = first->second.prediction.engine;
  if (!finder.empty() && finder != predictors::kKnownPaths) closer.options["--engine"] = finder;
  absl::StrAppend(&out, "See the first:\n  ", Printable(CommandLine(closer), style.utf8), "\n");
}

Json VerdictJson(const snapshot::ArchiveEntry& entry, const CutVerdict& verdict) {
  Json json;
  json["number"] = entry.number;
  json["taken"] = FormatTime(entry.taken);
  json["outcome"] = verdict.status.ok() ? Json(model::OutcomeName(verdict.outcome)) : Json(nullptr);
  json["error"] = verdict.status.ok() ? Json(nullptr) : Json(std::string(verdict.status.message()));
  json["complete"] = verdict.complete;
  json["seconds"] = verdict.seconds;
  json["violations"] = Json::array();
  for (const Prediction& prediction : verdict.predictions) {
    json["violations"].push_back({{"invariant", prediction.invariant},
                                  {"happened", prediction.happened()},
                                  {"steps", prediction.steps},
                                  {"imagined", prediction.imagined}});
  }
  return json;
}

}  // namespace

std::string SummaryText(const ArchiveSummary& summary, const ArchiveCheckPlan& plan,
                        const std::vector<CutVerdict>& verdicts, const TerminalStyle& style) {
  const Figures figures = Count(verdicts);
  std::string out = absl::StrCat(
      Coloured(
          Printable(absl::StrCat(summary.file, ": ", summary.systems, "; engine ", summary.engine),
                    style.utf8),
          Colour::kHead, style),
      "\n  cuts          ", FormatCount(figures.checked), " checked of ",
      FormatCount(plan.entries.size()), ", ", FormatCount(figures.complete), " completely");
  if (figures.failed > 0) {
    absl::StrAppend(&out, ", ", FormatCount(figures.failed),
                    " could not be: ", Printable(figures.failure, style.utf8));
  }
  if (figures.nondeterministic > 0) {
    absl::StrAppend(&out, ", ", FormatCount(figures.nondeterministic), " NOT DETERMINISTIC");
  }
  absl::StrAppend(&out, "\n  time per cut  p50 ", FormatSeconds(figures.median), ", max ",
                  FormatSeconds(figures.longest), "; ", FormatSeconds(summary.seconds), " in all, ",
                  summary.jobs, " at a time\n");
  if (figures.rows.empty()) {
    absl::StrAppend(&out, "  No violation would have been predicted.\n");
  } else {
    AppendRows(summary, plan, figures, style, out);
  }
  if (summary.interrupted) absl::StrAppend(&out, "Interrupted before all cuts were checked.\n");
  for (const std::string& warning : summary.warnings) {
    absl::StrAppend(&out, "Note: ", Printable(warning, style.utf8), "\n");
  }
  return out;
}

std::string SummaryJson(const ArchiveSummary& summary, const ArchiveCheckPlan& plan,
                        const std::vector<CutVerdict>& verdicts) {
  const Figures figures = Count(verdicts);
  Json json;
  json["file"] = summary.file;
  json["engine"] = summary.engine;
  json["cuts"] = plan.entries.size();
  json["checked"] = figures.checked;
  json["complete"] = figures.complete;
  json["failed"] = figures.failed;
  json["skipped"] = summary.skipped;
  json["interrupted"] = summary.interrupted;
  json["violations"] = Json::array();
  for (const auto& [key, row] : figures.rows) {
    const snapshot::ArchiveEntry& entry = plan.entries[row.first];
    json["violations"].push_back({{"invariant", key.first},
                                  {"happened", key.second},
                                  {"cuts", row.cuts},
                                  {"first",
                                   {{"number", entry.number},
                                    {"taken", FormatTime(entry.taken)},
                                    {"steps", row.prediction.steps},
                                    {"imagined", row.prediction.imagined}}}});
  }
  json["seconds"] = {{"p50", figures.median}, {"max", figures.longest}, {"total", summary.seconds}};
  json["notes"] = summary.warnings;
  json["results"] = Json::array();
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].done) json["results"].push_back(VerdictJson(plan.entries[i], verdicts[i]));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
