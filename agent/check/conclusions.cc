#include "foretell/agent/check/conclusions.h"

#include <set>

#include "absl/strings/str_join.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/check.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

using Verdict = Judged::Verdict;
using model::Outcome;

std::string Clean(const std::string& text) { return Printable(text, true); }

// Why nothing is known of an invariant that is not broken.
std::string UndecidedWhy(const CheckRecord& record, const CheckRequest& asked) {
  const model::Report& report = record.report;
  if (report.outcome == Outcome::kNondeterminism) return "the service is not deterministic";
  if (!report.violations.empty() && !asked.options.all_invariants) {
    return "the search ended with a violation of another one; --all-invariants goes on";
  }
  return "the whole space was not covered";
}

// All but the broken ones, for which the record has violations.
Judged JudgeUnbroken(const model::InvariantInfo& info, const CheckRecord& record,
                     const CheckRequest& asked) {
  Judged judged{.invariant = Clean(info.name), .text = Clean(info.text)};
  const auto& liveness = record.report.liveness;
  if (liveness && liveness->property != info.name) {
    judged.why = "another property was asked for";
  } else if (liveness && liveness->verdict == model::LivenessVerdict::kLive) {
    judged.verdict = Verdict::kHolds;
  } else if (liveness) {
    judged.why = Clean(liveness->text);
  } else if (info.eventually) {
    judged.why =
        "it must hold eventually, which --property decides, and a search for bad states does not";
  } else if (record.report.complete && record.report.outcome != Outcome::kNondeterminism) {
    judged.verdict = Verdict::kHolds;
  } else {
    judged.why = UndecidedWhy(record, asked);
  }
  return judged;
}

Judged JudgeBroken(const model::InvariantInfo& info, const CheckRecord& record, size_t violation,
                   const SpaceTime& picture) {
  return {.invariant = Clean(info.name),
          .text = Clean(info.text),
          .verdict = Verdict::kBroken,
          .why = Clean(record.report.violations[violation].text),
          .opinion = record.opinions.empty() ? "" : Clean(record.opinions[violation]),
          .picture = &picture};
}

// The service's own and the one that every service has, in the order of PlainSystem::Violated.
std::vector<model::InvariantInfo> AllInvariants(const model::Service& service,
                                                const model::Report& report) {
  std::vector<model::InvariantInfo> all = {
      {.name = model::kLocalAssertions, .text = "No handler fails or breaks an assertion."}};
  for (const model::InvariantInfo& info : service.invariants()) all.push_back(info);
  // Whatever an engine calls a violation must not get lost here.
  std::set<std::string> names;
  for (const model::InvariantInfo& info : all) names.insert(info.name);
  for (const model::Violation& violation : report.violations) {
    if (names.insert(violation.invariant).second) all.push_back({.name = violation.invariant});
  }
  return all;
}

std::vector<Judged> JudgeAll(const model::Service& service, const CheckRecord& record,
                             const std::vector<SpaceTime>& pictures, const CheckRequest& asked) {
  const std::vector<model::Violation>& violations = record.report.violations;
  std::vector<Judged> all;
  if (record.report.outcome == Outcome::kNondeterminism) {
    all.push_back({.invariant = "deterministic",
                   .text = "The same state and event give the same answer.",
                   .verdict = Verdict::kBroken,
                   .why = Clean(absl::StrJoin(record.report.notes, " "))});
  }
  for (const model::InvariantInfo& info : AllInvariants(service, record.report)) {
    size_t at = 0;
    while (at < violations.size() && violations[at].invariant != info.name) ++at;
    all.push_back(at < violations.size() ? JudgeBroken(info, record, at, pictures[at])
                                         : JudgeUnbroken(info, record, asked));
  }
  return all;
}

}  // namespace

Findings Conclude(const model::Service& service, const CheckRecord& record,
                  const std::vector<SpaceTime>& pictures, const CheckRequest& asked,
                  const std::string& command) {
  FORETELL_CHECK(pictures.size() == record.report.violations.size());
  Findings findings{.service = Clean(record.service),
                    .scenario = Clean(record.scenario),
                    .bug = Clean(record.bug),
                    .engine = Clean(record.engine),
                    .title = Clean(TitleOf(record)),
                    .sentence = Clean(VerdictSentence(record, asked)),
                    .outcome = record.report.outcome,
                    .complete = record.report.complete,
                    .judged = JudgeAll(service, record, pictures, asked),
                    .figures = Clean(FiguresText(record)),
                    .covered = Clean(CoveredSentence(record)),
                    .command = Clean(command),
                    .source = Clean(asked.source),
                    .seconds = record.seconds};
  for (const std::string& note : record.report.notes) findings.notes.push_back(Clean(note));
  return findings;
}

}  // namespace foretell::agent
