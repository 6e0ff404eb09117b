#include "foretell/agent/doctor/diagnosis_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

using search::FieldFindings;
using search::Influence;
using search::Remainder;

std::string TrialsText(const Influence& influence) {
  return absl::StrCat(FormatCount(influence.influenced), " of ", FormatCount(influence.trials),
                      influence.trials == 1 ? " trial" : " trials");
}

std::string LeftText(const Remainder& left, const Remainder& all) {
  return absl::StrCat(FormatCount(left.states), " of ", FormatCount(all.states), " states, ",
                      FormatCount(left.node_states), " of ", FormatCount(all.node_states),
                      " node states");
}

class Text {
 public:
  Text(const Examination& examination, const TerminalStyle& style)
      : examination_(examination),
        diagnosis_(examination.diagnosis),
        table_(examination.fields),
        style_(style) {}

  std::string Write() {
    Head();
    Suggestion();
    Declared();
    Section("Nothing but invariants and goals looks at", [this](const FieldFindings& one) {
      return one.is_for_invariants ? absl::StrJoin(one.influence.invariants, ", ") : "";
    });
    Section("Matters in some scenarios only", [this](const FieldFindings& one) {
      return SomewhereText(one.influence);
    });
    Section("Says nothing that others do not say; to leave it out saves nothing",
            [this](const FieldFindings& one) { return FunctionText(one); });
    Undecided();
    Constant();
    Shares();
    return std::move(out_);
  }

 private:
  void Head() {
    absl::StrAppend(&out_, Paragraph(examination_.service, 0));
    if (!examination_.bug.empty()) {
      out_.pop_back();
      absl::StrAppend(&out_, ", bug ", examination_.bug, "\n");
    }
    Table scenarios({.columns = {{Table::Align::kLeft}}, .indent = 2});
    scenarios.Add({"scenario", "states", "node states", "handler runs", ""});
    for (const SeenScenario& one : examination_.scenarios) {
      scenarios.Add({Clean(one.name), FormatCount(one.states), FormatCount(one.node_states),
                     FormatCount(one.handler_runs), one.complete ? "all" : "the first"});
    }
    Lines(scenarios);
    if (!examination_.left_out.empty()) {
      absl::StrAppend(&out_, Paragraph(absl::StrCat("Left out, because bug or settings do not go "
                                                    "with it: ",
                                                    absl::StrJoin(examination_.left_out, ", ")),
                                       2));
    }
    if (!examination_.ended_by.empty()) {
      absl::StrAppend(&out_, Paragraph(absl::StrCat("Ended early by its budget of ",
                                                    examination_.ended_by, "."),
                                       2));
    }
  }

  void Suggestion() {
    const search::Suggestion& suggestion = diagnosis_.suggestion;
    if (suggestion.fields.empty()) {
      Title("Nothing to declare auxiliary: what saves states makes a difference");
      return;
    }
    Title("Could be declared auxiliary");
    for (const uint32_t field : suggestion.fields) {
      const FieldFindings& one = diagnosis_.fields[field];
      Item(field, absl::StrCat(one.influence.trials == 0
                                   ? std::string("never tried alone, others determine it")
                                   : absl::StrCat(TrialsText(one.influence),
                                                  " influenced anything else"),
                               FedText(one), "; without it ",
                               LeftText(one.without, diagnosis_.now), " would be left"));
    }
    if (suggestion.fields.size() > 1) {
      Line(absl::StrCat("all of them: ", TrialsText(suggestion.influence), "; ",
                        LeftText(suggestion.without, diagnosis_.now), " would be left"));
    }
    Line("Declare it Auxiliary<...>, or claim it with v.Auxiliary, which every check then audits.");
    const auto partly = [](const SeenScenario& one) { return !one.complete; };
    if (!std::any_of(examination_.scenarios.begin(), examination_.scenarios.end(), partly)) return;
    Line(absl::StrCat("Not all states were seen; --states ", uint64_t{10} * examination_.states_max,
                      " looks at more of them."));
  }

  // Individually it may change others that go with it.
  std::string FedText(const FieldFindings& one) const {
    std::vector<std::string> names;
    for (const uint32_t field : one.influence.fed) names.push_back(table_.name(field));
    return names.empty() ? "" : absl::StrCat(" but ", absl::StrJoin(names, ", "));
  }

  void Declared() {
    Section("Auxiliary already", [this](const FieldFindings& one) {
      return one.declared ? absl::StrCat(LeftText(one.without, diagnosis_.all), " are left")
                          : std::string();
    });
  }

  std::string SomewhereText(const Influence& influence) const {
    std::vector<std::string> matters;
    std::vector<std::string> not_here;
    for (const auto& [scenario, tally] : influence.by_scenario) {
      if (tally.influenced > 0) matters.push_back(scenario);
      if (tally.influenced == 0 && tally.trials >= kTrialsTold) {
        not_here.push_back(absl::StrCat(scenario, " (0 of ", FormatCount(tally.trials), ")"));
      }
    }
    if (matters.empty() || not_here.empty()) return "";
    return absl::StrCat("in ", absl::StrJoin(matters, ", "), "; not in ",
                        absl::StrJoin(not_here, ", "));
  }

  std::string FunctionText(const FieldFindings& one) const {
    std::vector<std::string> names;
    for (const uint32_t other : one.function_of) names.push_back(table_.name(other));
    const bool saves = one.without.node_states < diagnosis_.now.node_states;
    return names.empty() || saves ? "" : absl::StrCat("a function of ", absl::StrJoin(names, ", "));
  }

  void Undecided() {
    Section("Too few trials to say anything", [](const FieldFindings& one) {
      const bool open = one.varies && !one.declared && one.influence.trials > 0 &&
                        one.influence.IsNone() && !one.influence.IsEnough();
      return open ? TrialsText(one.influence) : std::string();
    });
  }

  void Constant() {
    std::vector<std::string> names;
    for (const FieldFindings& one : diagnosis_.fields) {
      if (!one.varies && !table_.has_parts(one.field)) names.push_back(table_.name(one.field));
    }
    if (names.empty()) return;
    Title("Never varies at a node");
    Line(absl::StrJoin(names, ", "));
  }

  // The fields without which the fewest states are left.
  void Shares() {
    constexpr size_t kRowsMax = 8;
    std::vector<const FieldFindings*> rows;
    for (const FieldFindings& one : diagnosis_.fields) {
      if (one.varies && !one.declared && !table_.has_parts(one.field) &&
          one.without.states < diagnosis_.now.states) {
        rows.push_back(&one);
      }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
      return a->without.states < b->without.states;
    });
    rows.resize(std::min(rows.size(), kRowsMax));
    if (rows.empty()) return;
    Title(absl::StrCat("What tells states apart, of ", FormatCount(diagnosis_.now.states),
                       " states and ", FormatCount(diagnosis_.now.node_states), " node states"));
    Table shares({.columns = {{Table::Align::kLeft}, {}, {}, {}, {Table::Align::kLeft}},
                  .indent = 4,
                  .wraps = true});
    shares.Add({"without", "states left", "node states", "influenced", "what goes differently"});
    for (const FieldFindings* one : rows) {
      shares.Add({Clean(table_.name(one->field)), FormatCount(one->without.states),
                  FormatCount(one->without.node_states), TrialsText(one->influence),
                  Clean(WhatText(*one))});
    }
    Lines(shares);
  }

  std::string WhatText(const FieldFindings& one) const {
    std::vector<std::string> what(one.influence.behaviour.begin(), one.influence.behaviour.end());
    what.insert(what.end(), one.influence.invariants.begin(), one.influence.invariants.end());
    // What it is copied to says least.
    for (const uint32_t field : one.influence.fed) {
      if (what.size() == kWhatMax) return absl::StrCat(absl::StrJoin(what, ", "), ", ...");
      what.push_back(table_.name(field));
    }
    return what.empty() ? "nothing" : absl::StrJoin(what, ", ");
  }

  // A title and the fields of which `tell` has something to say.
  template <class Tell>
  void Section(const std::string& title, const Tell& tell) {
    bool first = true;
    for (const FieldFindings& one : diagnosis_.fields) {
      const std::string text = tell(one);
      if (text.empty()) continue;
      if (std::exchange(first, false)) Title(title);
      Item(one.field, text);
    }
  }

  std::string Clean(const std::string& text) const { return Printable(text, style_.utf8); }
  void Title(const std::string& title) {
    absl::StrAppend(&out_, "\n  ", Coloured(title, Colour::kHead, style_), "\n");
  }
  void Item(uint32_t field, const std::string& text) {
    Line(absl::StrCat(table_.name(field), ": ", text));
  }
  void Line(const std::string& text) { absl::StrAppend(&out_, Paragraph(text, 4)); }
  std::string Paragraph(const std::string& text, size_t indent) const {
    std::string lines;
    for (const std::string& line : Wrap(Clean(text), style_.columns - indent)) {
      absl::StrAppend(&lines, std::string(indent, ' '), line, "\n");
    }
    return lines;
  }
  void Lines(const Table& table) {
    for (const std::string& line : table.Lines(style_)) absl::StrAppend(&out_, line, "\n");
  }

  static constexpr uint64_t kTrialsTold = 100;  // Less is no news.
  static constexpr size_t kWhatMax = 3;
  const Examination& examination_;
  const search::Diagnosis& diagnosis_;
  const search::FieldTable& table_;
  const TerminalStyle& style_;
  std::string out_;
};

}  // namespace

std::string DiagnosisText(const Examination& examination, const TerminalStyle& style) {
  return Text(examination, style).Write();
}

}  // namespace foretell::agent
