#include "foretell/agent/check/liveness_text.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/model/check.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

using model::LivenessVerdict;

std::string Steps(size_t count) { return absl::StrCat(count, count == 1 ? " step" : " steps"); }

// "fairness weak: what stays possible happens".
std::string AssumptionText(const model::Liveness& liveness) {
  return absl::StrCat("fairness ", model::FairnessName(liveness.fairness), ": ",
                      model::FairnessText(liveness.fairness));
}

std::vector<std::string> CycleLines(const model::Violation& found,
                                    const model::Liveness& liveness) {
  const size_t from = found.death->cycle_from;
  const size_t to = found.path.size();
  return {absl::StrCat(
              "cycle:    ",
              from == to ? absl::StrCat("step ", from) : absl::StrCat("steps ", from, " to ", to),
              ", again and again"),
          absl::StrCat("assumed:  ", AssumptionText(liveness))};
}

// " (C2, steps 3 to 17)".
std::string IntervalText(const model::Liveness& liveness) {
  if (!liveness.interval) return "";
  return absl::StrCat(" (", model::ConditionName(*liveness.interval), ", steps ",
                      liveness.interval->alive + 1, " to ", liveness.interval->dead, ")");
}

std::string InsteadLine(const CheckRecord& record, const model::Death& death) {
  const size_t shared = SharedSteps(death);
  if (death.twin.size() < shared) return "";
  if (death.twin.size() == shared) return "instead:  it held until then";
  std::vector<std::string> events(
      record.death_events.twin.begin() + static_cast<std::ptrdiff_t>(shared),
      record.death_events.twin.end());
  constexpr size_t kShown = 4;
  const size_t more = events.size() > kShown ? events.size() - kShown : 0;
  events.resize(events.size() - more);
  return absl::StrCat("instead:  ", absl::StrJoin(events, ", then "),
                      more > 0 ? absl::StrCat(", and ", Steps(more), " more") : "",
                      ": then it holds, ", Steps(death.twin.size() - shared), " later");
}

// With MaceMC's condition: C1 if the step is known, C2 if only an interval is.
std::string CriticalLine(const CheckRecord& record, const model::Death& death) {
  const auto interval = record.report.liveness ? record.report.liveness->interval : std::nullopt;
  if (death.critical_step == 0) return "critical: what is in flight at the start is lost";
  const std::string loss = death.by_loss ? ", and what is in flight then is lost" : "";
  if (!interval) return absl::StrCat("critical: step ", death.critical_step, loss);
  const std::string condition = absl::StrCat(" (", model::ConditionName(*interval), ")");
  if (interval->dead == interval->alive + 1) {
    return absl::StrCat("critical: step ", death.critical_step, loss, condition);
  }
  return absl::StrCat("critical: one of the steps ", interval->alive + 1, " to ", interval->dead,
                      loss, condition);
}

// "; no help: restart node 0, restart node 1 and 3 more"; empty without any.
std::string OthersText(const char* head, const model::Death& death, model::Cure::Effect effect) {
  constexpr size_t kShown = 3;
  std::vector<std::string> texts;
  for (const model::Cure& cure : death.cures) {
    if (cure.effect == effect) texts.push_back(cure.text);
  }
  if (texts.empty()) return "";
  const size_t more = texts.size() > kShown ? texts.size() - kShown : 0;
  texts.resize(texts.size() - more);
  return absl::StrCat("; ", head, ": ", absl::StrJoin(texts, ", "),
                      more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

std::string CureLine(const model::Death& death) {
  std::vector<std::string> help;
  for (const model::Cure& cure : death.cures) {
    if (!cure.helps()) continue;
    help.push_back(absl::StrCat(cure.text, " (holds after ", Steps(cure.steps), ")"));
  }
  return absl::StrCat("cure:     ", help.empty() ? "none was found" : absl::StrJoin(help, " or "),
                      OthersText("no help", death, model::Cure::Effect::kNone),
                      OthersText("not known", death, model::Cure::Effect::kUnknown));
}

}  // namespace

std::string LivenessSentence(const CheckRecord& record) {
  const model::Liveness& liveness = *record.report.liveness;
  switch (liveness.verdict) {
    case LivenessVerdict::kLive:
      return absl::StrCat("Live: wherever the system gets, ", liveness.property,
                          " can still come to hold",
                          liveness.fairness == model::Fairness::kNone
                              ? ""
                              : absl::StrCat(", and does under ", AssumptionText(liveness)),
                          " (complete), ", FormatCount(liveness.judged), " states judged.");
    case LivenessVerdict::kDead:
      return absl::StrCat("Dead: the system can lose ", liveness.property, " for ever.");
    case LivenessVerdict::kStartDead:
      return absl::StrCat("Dead from the start: ", liveness.property, " can never come to hold.");
    case LivenessVerdict::kFairCycle:
      return absl::StrCat("Fair cycle: ", liveness.property, " can stay away for ever under ",
                          AssumptionText(liveness), ".");
    case LivenessVerdict::kSuspected:
      return absl::StrCat("Suspected, not proved", IntervalText(liveness), ": ", liveness.text);
    case LivenessVerdict::kUndecided: return absl::StrCat("Undecided: ", liveness.text);
  }
  FORETELL_CHECK(false);
  return "";
}

std::vector<std::string> DeathLines(const CheckRecord& record, size_t violation) {
  const model::Violation& found = record.report.violations[violation];
  const model::Death& death = *found.death;
  if (death.cycle_from > 0) return CycleLines(found, *record.report.liveness);
  std::vector<std::string> lines;
  if (!IsOfStart(death)) {
    lines.push_back(CriticalLine(record, death));
    if (std::string instead = InsteadLine(record, death); !instead.empty()) {
      lines.push_back(std::move(instead));
    }
  }
  for (const std::string& blame : death.blame) lines.push_back(absl::StrCat("blame:    ", blame));
  lines.push_back(CureLine(death));
  for (const model::CriticalKind& kind : death.kinds) {
    lines.push_back(absl::StrCat("kind:     ", kind.event, " at node ", kind.node.value(), ": ",
                                 FormatCount(kind.transitions),
                                 kind.transitions == 1 ? " transition" : " transitions",
                                 " into death, the first after ", Steps(kind.path.size())));
  }
  return lines;
}

std::string CutsSentence(const CheckRecord& record) {
  if (record.report.liveness == nullptr || record.report.liveness->cuts.empty()) return "";
  const std::vector<model::CutFate>& cuts = record.report.liveness->cuts;
  std::map<model::CutFate, size_t> counts;
  for (const model::CutFate fate : cuts) ++counts[fate];
  std::vector<std::string> parts;
  for (const auto& [fate, count] : counts) {
    parts.push_back(absl::StrCat(FormatCount(count), " ", model::FateName(fate)));
  }
  std::string text =
      absl::StrCat("Recorded cuts: ", FormatCount(cuts.size()), ", ", absl::StrJoin(parts, ", "));
  const auto dead = std::find(cuts.begin(), cuts.end(), model::CutFate::kDead);
  if (dead == cuts.end()) return text + ".";
  const auto first = static_cast<size_t>(dead - cuts.begin());
  absl::StrAppend(&text, ". Dead since snapshot ", record.cut_numbers[first]);
  if (first > 0 && cuts[first - 1] != model::CutFate::kUndecided) {
    absl::StrAppend(&text, ", not yet at snapshot ", record.cut_numbers[first - 1]);
  }
  const bool way = record.report.liveness->from < first;
  return absl::StrCat(text, way ? ", where the path starts." : ".");
}

}  // namespace foretell::agent
