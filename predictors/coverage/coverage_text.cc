#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/predictors/coverage/coverage.h"

namespace foretell::predictors {
namespace {

using model::EventKind;

// "4 messages", "1 action".
std::string CountText(size_t count, const char* what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

// "4 messages, 1 action, crash".
std::string RanText(const Coverage& coverage) {
  size_t messages = 0;
  size_t actions = 0;
  std::vector<std::string> parts;
  for (const HandlerRuns& handler : coverage.handlers) {
    if (handler.runs == 0) continue;
    if (handler.kind == EventKind::kDeliver) {
      ++messages;
    } else if (handler.kind == EventKind::kAction) {
      ++actions;
    } else {
      parts.push_back(handler.name);
    }
  }
  if (actions > 0) parts.insert(parts.begin(), CountText(actions, "action"));
  if (messages > 0) parts.insert(parts.begin(), CountText(messages, "message"));
  return absl::StrJoin(parts, ", ");
}

std::vector<std::string> MissedHandlers(const Coverage& coverage) {
  std::vector<std::string> missed;
  for (const HandlerRuns& handler : coverage.handlers) {
    if (!handler.expected || handler.runs > 0) continue;
    const char* why = "";
    if (handler.kind == EventKind::kDeliver && handler.sent == 0) {
      why = coverage.certain ? " (nobody sends it)" : " (not sent)";
    }
    missed.push_back(handler.name + why);
  }
  return missed;
}

// "node 3 (client)".
std::vector<std::string> IdleNodes(const Coverage& coverage) {
  std::vector<std::string> idle;
  for (size_t n = 0; n < coverage.nodes.size(); ++n) {
    const NodeRuns& node = coverage.nodes[n];
    if (!node.expected || node.runs > 0) continue;
    idle.push_back(node.role.empty() ? absl::StrCat("node ", n)
                                     : absl::StrCat("node ", n, " (", node.role, ")"));
  }
  return idle;
}

// Faults that went by default. Who wrote OnKrash reads here that there is no OnCrash.
std::string DefaultsText(const Coverage& coverage) {
  std::vector<std::string> hooks;
  for (const HandlerRuns& handler : coverage.handlers) {
    if (!handler.handled && handler.runs > 0) hooks.push_back("no " + HookName(handler.kind));
  }
  if (hooks.empty()) return "";
  return absl::StrCat("There is ", absl::StrJoin(hooks, " and "), ": the default",
                      hooks.size() == 1 ? "" : "s", " ran.");
}

std::vector<std::string> Unseen(const std::vector<Mark>& marks) {
  std::vector<std::string> names;
  for (const Mark& mark : marks) {
    if (!mark.seen) names.push_back(mark.name);
  }
  return names;
}

std::string List(std::vector<std::string> names) {
  constexpr size_t kShown = 20;
  if (names.size() > kShown + 1) {
    const size_t more = names.size() - kShown;
    names.resize(kShown);
    names.push_back(absl::StrCat(more, " more"));
  }
  return absl::StrJoin(names, ", ");
}

// "node 1: `count` kept growing (310, 622, 1240)".
std::string GrowthText(const Growth& growth) {
  return absl::StrCat("node ", growth.node, ": `", growth.field, "` kept growing (..., ",
                      absl::StrJoin(growth.largest, ", "), ")");
}

// "6 states", "7 node states"; empty if there are many.
std::string FewStates(const model::Stats& stats) {
  constexpr uint64_t kMany = 10;
  // Global states of a local checker are those that its verification looked at.
  const bool local = stats.soundness_checks.has_value() || !stats.global_states;
  const uint64_t count = (local ? stats.node_states : stats.global_states).value_or(kMany);
  return count < kMany ? CountText(count, local ? "node state" : "state") : "";
}

void AddEndless(const Coverage& coverage, std::vector<std::string>& notes) {
  constexpr size_t kShown = 3;
  std::vector<std::string> texts;
  for (const Growth& growth : coverage.growing) {
    if (texts.size() < kShown) texts.push_back(GrowthText(growth));
  }
  if (coverage.growing.size() > kShown) {
    texts.push_back(absl::StrCat(coverage.growing.size() - kShown, " more"));
  }
  if (!texts.empty()) {
    notes.push_back(absl::StrCat(absl::StrJoin(texts, "; "),
                                 ". Unless something bounds it, this space has no end: bound it in "
                                 "Actions, or the search with --depth."));
  }
  for (const std::string& action : coverage.piling) {
    notes.push_back(absl::StrCat(action,
                                 " sends, changes nothing and stays possible: its messages pile "
                                 "up without end. Bound it in Actions, or the search with "
                                 "--depth."));
  }
}

// What was expected and did not happen, a sentence each.
std::vector<std::string> MissedText(const Coverage& coverage) {
  const bool certain = coverage.certain;
  std::vector<std::string> parts;
  const auto add = [&](const std::vector<std::string>& names, const char* never,
                       const char* not_seen, const char* end) {
    if (!names.empty()) {
      parts.push_back(absl::StrCat(certain ? never : not_seen, List(names), end, "."));
    }
  };
  add(MissedHandlers(coverage), "Never: ", "Not seen: ", "");
  add(IdleNodes(coverage), "No handler ever ran at ", "No handler ran at ",
      certain ? "" : " so far");
  add(Unseen(coverage.invariants), "No node ever contributes to ", "No node contributed to ",
      certain ? "" : " so far");
  add(Unseen(coverage.goals), "Goals never reached: ", "Goals not reached: ", "");
  return parts;
}

}  // namespace

std::string HookName(EventKind fault) {
  std::string name = model::KindName(fault);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return "On" + name;
}

std::string CoverageText(const Coverage& coverage) {
  std::vector<std::string> parts = MissedText(coverage);
  if (coverage.runs() == 0) {
    parts = {coverage.certain ? "No handler ever ran: the start is all there is."
                              : "No handler ran."};
  } else if (IsFull(coverage)) {
    parts = {coverage.program ? std::string("Every process ran.")
                              : absl::StrCat("Every handler ran: ", RanText(coverage), ".")};
  }
  if (std::string defaults = DefaultsText(coverage); !defaults.empty()) {
    parts.push_back(std::move(defaults));
  }
  for (const std::string& hook : coverage.barred) parts.push_back(hook + ".");
  if (!coverage.undecided.empty()) {
    parts.push_back(absl::StrCat(
        "Not checked, because it must hold eventually: ", List(coverage.undecided), "."));
  }
  return absl::StrJoin(parts, " ");
}

std::vector<std::string> CoverageNotes(const Coverage& coverage, const model::Report& report) {
  std::vector<std::string> notes;
  for (const Doubt& doubt : coverage.doubts) notes.push_back(doubt.text + ".");
  if (coverage.invariants.empty() && report.liveness == nullptr) {
    notes.push_back(
        "No invariant was checked: there is none, or none but what must hold eventually. Only a "
        "handler that fails is a violation then.");
  }
  if (report.outcome == model::Outcome::kBudget) AddEndless(coverage, notes);
  const std::string few = FewStates(report.stats);
  if (coverage.certain && !few.empty() && !coverage.program) {
    notes.push_back(absl::StrCat("A space of ", few,
                                 " says little: is the start as it should be, and does Actions "
                                 "offer what can happen?"));
  }
  return notes;
}

}  // namespace foretell::predictors
