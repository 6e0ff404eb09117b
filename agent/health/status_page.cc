#include "foretell/agent/health/status_page.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {
namespace {

constexpr char kStyle[] = R"css(
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--soft:#5a636e;--line:#d5dae0;--card:#f6f8fa;
--good:#116329;--warn:#7a4b00;--bad:#b3201b}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ed;--bg:#101418;--soft:#a3adb8;--line:#39414a;
--card:#191f25;--good:#5fd07f;--warn:#f0b849;--bad:#ff8a80}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);margin:0 auto;
padding:1rem;max-width:70rem}
h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0}.soft{color:var(--soft)}a{color:inherit}
.cards{display:flex;flex-wrap:wrap;gap:.8rem;padding:0;list-style:none}
.cards li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;
padding:.6rem .9rem;min-width:8rem}.cards b{display:block;font-size:1.3rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line);
vertical-align:top}th{color:var(--soft);font-weight:600}
td.number{font-variant-numeric:tabular-nums}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.alarm{border:2px solid var(--bad);border-radius:.5rem;padding:.6rem .9rem}
)css";

std::string DurationText(std::chrono::nanoseconds duration) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f s", std::chrono::duration<double>(duration).count());
  return text;
}

std::string PercentText(double fraction) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f %%", fraction * 100);
  return text;
}

std::string Number(uint64_t value) { return absl::StrCat("<td class=\"number\">", value, "</td>"); }
std::string Cell(std::string_view text) { return absl::StrCat("<td>", XmlText(text), "</td>"); }
std::string Code(std::string_view text) {
  return text.empty() ? "<td></td>" : absl::StrCat("<td><code>", XmlText(text), "</code></td>");
}
// Colour is never the only sign: the word itself says it as well.
std::string Word(std::string_view text, const char* look) {
  return absl::StrCat("<td class=\"", look, "\">", XmlText(text), "</td>");
}

const char* ModeLook(snapshot::Mode mode) {
  if (mode >= snapshot::Mode::kEnforce) return "bad";
  return mode == snapshot::Mode::kShadow ? "warn" : "soft";
}
std::string ModeCell(snapshot::Mode mode) { return Word(snapshot::ModeName(mode), ModeLook(mode)); }

// A heading and a table, or a sentence if there is nothing to show.
class Section {
 public:
  Section(const char* id, const char* title, const char* empty,
          std::initializer_list<const char*> columns)
      : id_(id), title_(title), empty_(empty) {
    for (const char* column : columns) {
      absl::StrAppend(&head_, "<th scope=\"col\">", column, "</th>");
    }
  }
  template <class... Cells>
  void Row(const Cells&... cells) {
    absl::StrAppend(&rows_, "<tr>");
    (rows_.append(cells), ...);
    absl::StrAppend(&rows_, "</tr>\n");
  }
  std::string Html() const {
    const std::string start = absl::StrCat("<section aria-labelledby=\"", id_, "\"><h2 id=\"", id_,
                                           "\">", title_, "</h2>\n");
    if (rows_.empty()) return absl::StrCat(start, "<p class=\"soft\">", empty_, "</p></section>\n");
    // Keyboards can scroll only what can have the focus.
    return absl::StrCat(start, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" ",
                        "aria-labelledby=\"", id_, "\"><table aria-labelledby=\"", id_,
                        "\"><thead><tr>", head_, "</tr></thead>\n<tbody>", rows_,
                        "</tbody></table></div></section>\n");
  }

 private:
  const char* id_;
  const char* title_;
  const char* empty_;
  std::string head_;
  std::string rows_;
};

std::string Findings(const StatusPage& page) {
  const bool nothing = std::none_of(page.invariants.begin(), page.invariants.end(),
                                    [](const auto& one) { return one.steps_away.has_value(); });
  Section section("findings", nothing ? "Why is nothing predicted?" : "What predictions rest on",
                  "No round yet.", {"About", "", "What"});
  for (const auto& finding : page.findings) {
    section.Row(Cell(finding.name),
                Word(finding.good ? "good" : "look here", finding.good ? "good" : "warn"),
                Cell(finding.text));
  }
  return section.Html();
}

std::string Distance(const std::optional<uint32_t>& steps) {
  if (!steps) return Cell("none in sight");
  if (*steps == 0) return Word("VIOLATED", "bad");
  return Word(absl::StrCat(*steps, *steps == 1 ? " step" : " steps", " away"), "bad");
}

std::string Invariants(const StatusPage& page) {
  Section section("invariants", "Invariants", "None is watched.",
                  {"Invariant", "Mode", "Violation", "Predictions", "Vetoes"});
  for (const auto& invariant : page.invariants) {
    section.Row(Cell(invariant.name), ModeCell(invariant.mode), Distance(invariant.steps_away),
                Number(invariant.predictions), Number(invariant.vetoes));
  }
  return section.Html();
}

std::string Lives(const StatusPage& page) {
  Section section("liveness", "Liveness", "No predicate is watched.",
                  {"Predicate", "Mode", "State", "What", "Since", "Predictions", "Vetoes"});
  for (const auto& life : page.lives) {
    const bool good = life.life == "holds" || life.life == "alive";
    section.Row(Cell(life.name), ModeCell(life.mode),
                Word(life.life, life.dead ? "bad"
                                : good    ? "good"
                                          : "warn"),
                Cell(life.text), Cell(life.since), Number(life.predictions), Number(life.vetoes));
  }
  return section.Html();
}

std::string Nodes(const StatusPage& page) {
  Section section("nodes", "Nodes", "None is configured.",
                  {"Node", "Status", "Address", "Checkpoint", "Overhead", "Guard"});
  for (const auto& node : page.nodes) {
    section.Row(Number(node.id), Word(node.status, node.up ? "good" : "bad"), Code(node.address),
                Number(node.checkpoint),
                Cell(node.overhead ? PercentText(*node.overhead) : "not known"), Cell(node.guard));
  }
  return section.Html();
}

std::string Engines(const StatusPage& page) {
  Section section("engines", "Engines in the last round", "None has run.",
                  {"Engine", "Outcome", "States", "Depth", "Time", "Space", "Faults"});
  for (const auto& run : page.engines) {
    section.Row(Cell(run.engine), Word(OutcomeWord(run.outcome), run.outcome ? "" : "bad"),
                Number(run.states), Number(run.depth), Cell(DurationText(run.duration)),
                Cell(run.space), Word(run.faults, "bad"));
  }
  return section.Html();
}

std::string Predictions(const StatusPage& page) {
  Section section("predictions", "Predicted violations", "None so far.",
                  {"Time", "Invariant", "Mode", "Steps away", "Engine", "What", "Decision", "Plan",
                   "Replay with"});
  for (const auto& prediction : page.predictions) {
    section.Row(Cell(FormatTimeToTheSecond(prediction.time)), Word(prediction.invariant, "bad"),
                ModeCell(prediction.mode), Number(prediction.steps_away), Cell(prediction.engine),
                Cell(prediction.text), Code(prediction.decision), Cell(prediction.plan),
                Code(prediction.command));
  }
  return section.Html();
}

std::string Vetoes(const StatusPage& page) {
  Section section("vetoes", "Vetoes in force", "None.",
                  {"Decision", "Invariant", "Mode", "Node", "What", "Hits", "Until"});
  for (const auto& veto : page.vetoes) {
    section.Row(Code(veto.decision), Cell(veto.invariant), ModeCell(veto.mode), Number(veto.node),
                Cell(absl::StrCat(snapshot::FilterKindName(veto.kind), " ", veto.event)),
                veto.hits ? Number(*veto.hits) : Cell("not known"),
                Cell(FormatTimeToTheSecond(veto.until)));
  }
  return section.Html();
}

std::string Card(const char* label, std::string_view value, std::string_view note) {
  return absl::StrCat("<li>", label, "<b>", XmlText(value), "</b><span class=\"soft\">",
                      XmlText(note), "</span></li>\n");
}

std::string SnapshotCard(const StatusPage::Round& round) {
  if (!round.snapshot_bytes) return Card("Snapshot", "none", "");
  // Nodes that have nothing new do not send their states again.
  return Card(
      "Snapshot",
      *round.snapshot_bytes == 0 ? "unchanged" : absl::StrCat(*round.snapshot_bytes, " bytes"),
      round.exact ? "exact" : "a part of what is in flight");
}

std::string LastRound(const StatusPage& page) {
  std::string cards =
      Card("Rounds", std::to_string(page.rounds), "since " + FormatTimeToTheSecond(page.started));
  if (page.last_round) {
    const StatusPage::Round& round = *page.last_round;
    cards +=
        Card("Last round", absl::StrCat("#", round.number, " ", RoundOutcomeName(round.outcome)),
             round.detail.empty() ? FormatTimeToTheSecond(round.start) : round.detail);
    cards += Card("It took", DurationText(round.duration), "");
    cards += SnapshotCard(round);
  } else {
    cards += Card("Last round", "none yet", "");
  }
  return absl::StrCat("<ul class=\"cards\">\n", cards, "</ul>\n");
}

std::string Header(const StatusPage& page, int refresh) {
  std::string html = absl::StrCat("<header><h1>Foretell: ", XmlText(page.service), "</h1>\n",
                                  "<p class=\"soft\">Version ", XmlText(page.version), ", as of ",
                                  FormatTimeToTheSecond(page.updated), ". ");
  if (refresh > 0) {
    absl::StrAppend(&html, "This page loads itself again every ", refresh,
                    " seconds; <a href=\"/?refresh=0\">stop that</a>.");
  } else {
    absl::StrAppend(&html, "<a href=\"/\">Keep this page up to date</a>.");
  }
  absl::StrAppend(&html, " <a href=\"/metrics\">Metrics</a>, <a href=\"/readyz?verbose\">",
                  "checks</a>.</p></header>\n");
  if (!page.killed.empty()) {
    absl::StrAppend(&html, "<p class=\"alarm\" role=\"alert\">The kill switch is on: ",
                    XmlText(page.killed), "</p>\n");
  }
  return html;
}

}  // namespace

std::string StatusHtml(const StatusPage& page, int refresh) {
  std::string html =
      absl::StrCat("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  if (refresh > 0) {
    absl::StrAppend(&html, "<meta http-equiv=\"refresh\" content=\"", refresh, "\">\n");
  }
  absl::StrAppend(&html, "<title>Foretell: ", XmlText(page.service), "</title>\n<style>", kStyle,
                  "</style></head>\n<body>\n", Header(page, refresh), "<main>\n");
  absl::StrAppend(&html, LastRound(page), Vetoes(page), Predictions(page), Findings(page),
                  Invariants(page), Lives(page));
  absl::StrAppend(&html, Nodes(page), Engines(page), "</main></body></html>\n");
  return html;
}

}  // namespace foretell::agent
