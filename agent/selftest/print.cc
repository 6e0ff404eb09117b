#include <ostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/selftest/selftest.h"
#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

std::string SetText(const std::set<std::string>& names) {
  return names.empty() ? "nothing" : absl::StrJoin(names, ", ");
}

void PrintDisagreement(const Disagreement& disagreement, std::ostream& out) {
  out << "\nDISAGREEMENT seed " << disagreement.seed << ", engine " << disagreement.engine << ": "
      << ComplaintName(disagreement.complaint) << "\n  " << disagreement.text
      << "\n  violated in truth: " << SetText(disagreement.expected)
      << "\n  violated as found: " << SetText(disagreement.found) << "\n";
  if (!disagreement.missed_path.empty()) out << "  a way that was missed:\n";
  for (const std::string& step : disagreement.missed_path) out << "    " << step << "\n";
  out << "  the service, minimised:\n";
  for (const std::string& line : disagreement.service) out << "    " << line << "\n";
}

}  // namespace

const char* ComplaintName(Complaint complaint) {
  switch (complaint) {
    case Complaint::kFailed: return "no report";
    case Complaint::kOutcome: return "the report contradicts itself";
    case Complaint::kFalseAlarm: return "false alarm";
    case Complaint::kMissed: return "missed violation";
    case Complaint::kPath: return "wrong path";
    case Complaint::kIncomplete: return "incomplete";
    case Complaint::kStates: return "wrong number of states";
    case Complaint::kUnsteady: return "not repeatable";
  }
  FORETELL_CHECK(false);
  return "";
}

int PrintSelftest(const SelftestReport& report, std::ostream& out) {
  out << report.checked << " random services checked";
  if (report.programs > 0) out << ", " << report.programs << " of them programs that block";
  out << " (" << report.skipped << " skipped as too large), " << report.states << " states; "
      << report.violated << " of " << report.invariants << " invariants can be violated, "
      << report.deep << " of them not within 4 steps\n";
  constexpr auto kRight = Table::Align::kRight;
  Table table(
      {.columns = {{Table::Align::kLeft, 12}, {kRight, 10}, {kRight, 10}, {kRight, 10}}, .gap = 1});
  table.Add({"engine", "complete", "incomplete", "violations", "disagreements"});
  for (const EngineTally& tally : report.engines) {
    table.Add({tally.engine, absl::StrCat(tally.complete), absl::StrCat(tally.incomplete),
               absl::StrCat(tally.violations), absl::StrCat(tally.disagreements)});
  }
  for (const std::string& line : table.Lines()) out << line << "\n";
  for (const Disagreement& disagreement : report.disagreements) {
    PrintDisagreement(disagreement, out);
  }
  out << (report.agreed() ? "all engines agree with the naive search\n"
                          : "\nengines DISAGREE with the naive search\n");
  return report.agreed() ? 0 : 1;
}

int SelftestCommand(const SelftestOptions& options, std::ostream& out,
                    const SelftestProgress& progress) {
  return PrintSelftest(RunSelftest(options, StandardEngines(), progress), out);
}

}  // namespace foretell::agent
