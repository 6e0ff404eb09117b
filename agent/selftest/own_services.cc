#include "foretell/agent/selftest/own_services.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/guard/watched_service.h"
#include "foretell/agent/selftest/judge.h"
#include "foretell/search/naive_search.h"

namespace foretell::agent {
namespace {

absl::StatusOr<OwnCase> Compare(const model::ServiceFamily& family, const std::string& scenario,
                                const std::string& bug, uint64_t states_max,
                                const std::vector<SelftestEngine>& engines) {
  OwnCase own;
  const absl::StatusOr<model::System> system =
      MakeWatched(family.name(), [&] { return family.Make(scenario, bug); });
  if (!system.ok()) return system.status();
  const search::NaiveResult truth =
      search::NaiveSearch(*system->service, system->start, states_max);
  own.states = truth.states;
  own.skipped = !truth.finished;
  if (own.skipped) return own;
  own.violated = truth.ViolatedNames();
  const uint64_t steps_max = 3 * truth.transitions + SelftestOptions().steps_extra;
  for (const SelftestEngine& engine : engines) {
    const Verdict verdict = Judge(engine, *system, truth, steps_max, /*twice=*/true);
    if (!verdict.complaint) continue;
    own.disagreements.push_back(absl::StrCat(
        "engine ", engine.name, ": ", ComplaintName(*verdict.complaint), ": ", verdict.text));
  }
  return own;
}

std::string Outcome(const OwnCase& own) {
  if (own.skipped) return "skipped";
  if (!own.disagreements.empty()) return absl::StrCat(own.disagreements.size(), " DISAGREE");
  return own.violated.empty() ? "nothing is violated" : absl::StrJoin(own.violated, ", ");
}

}  // namespace

absl::StatusOr<std::vector<OwnCase>> CompareServices(
    const model::Catalog& catalog, uint64_t states_max, const std::vector<SelftestEngine>& engines,
    const std::function<void(const std::string&)>& progress) {
  std::vector<OwnCase> cases;
  for (const auto& family : catalog) {
    std::vector<std::string> bugs = {""};
    for (const model::Named& bug : family->bugs()) bugs.push_back(bug.name);
    for (const model::Named& scenario : family->scenarios()) {
      for (const std::string& bug : bugs) {
        const std::string name = absl::StrCat(family->name(), " --scenario ", scenario.name,
                                              bug.empty() ? "" : " --bug ", bug);
        if (progress) progress(name);
        absl::StatusOr<OwnCase> own = Compare(*family, scenario.name, bug, states_max, engines);
        if (!own.ok()) return own.status();
        own->name = name;
        cases.push_back(*std::move(own));
      }
    }
  }
  return cases;
}

int PrintCases(const std::vector<OwnCase>& cases, uint64_t states_max, std::ostream& out) {
  Table table({.columns = {{.align = Table::Align::kLeft}, {}, {.align = Table::Align::kLeft}}});
  table.Add({"case", "states", "violated in truth"});
  size_t skipped = 0;
  size_t disagreements = 0;
  for (const OwnCase& own : cases) {
    skipped += own.skipped ? 1 : 0;
    disagreements += own.disagreements.size();
    table.Add({own.name, absl::StrCat(own.skipped ? "> " : "", own.states), Outcome(own)});
  }
  out << table.Text(1);
  for (const OwnCase& own : cases) {
    for (const std::string& text : own.disagreements) out << "\n" << own.name << "\n  " << text;
  }
  if (skipped > 0) {
    out << "\n" << skipped << " skipped: more than " << states_max << " states; --states 100000\n";
  }
  if (skipped == cases.size()) {
    out << "\nnothing was compared\n";
  } else {
    out << (disagreements == 0 ? "\nall engines agree with the naive search\n"
                               : "\nengines DISAGREE with the naive search\n");
  }
  return disagreements == 0 && skipped < cases.size() ? 0 : 1;
}

}  // namespace foretell::agent
