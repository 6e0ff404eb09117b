#include "foretell/agent/sidecar/report/findings.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/report/engine_faults.h"

namespace foretell::agent {
namespace {

using Finding = StatusPage::Finding;

std::string Joined(const std::vector<std::string>& sentences, size_t most) {
  const size_t shown = std::min(sentences.size(), most);
  std::string text = absl::StrJoin(sentences.begin(), sentences.begin() + shown, " ");
  if (shown < sentences.size()) {
    absl::StrAppend(&text, " And ", sentences.size() - shown, " more.");
  }
  return text;
}

Finding Cut(const RoundRecord& record) {
  constexpr size_t kNotesMax = 4;
  if (!record.snapshot) {
    return {"cut", false, absl::StrCat("There is none: ", record.error)};
  }
  if (record.snapshot->exact) {
    return {"cut", true, "Exact: all nodes are in it, and all that is in flight is known."};
  }
  return {"cut", false, "Not exact: " + Joined(record.snapshot->notes, kNotesMax)};
}

std::string Spaces(uint32_t count) {
  return absl::StrCat(count, count == 1 ? " space" : " spaces");
}

uint64_t DeepestOf(const RoundRecord& record) {
  uint64_t deepest = 0;
  for (const EngineRecord& run : record.engines) deepest = std::max(deepest, run.depth);
  return deepest;
}

Finding Search(const RoundRecord& record, const Config& config) {
  if (record.outcome == RoundOutcome::kFailed) {
    return {"search", false, "It failed: " + record.error};
  }
  if (!record.snapshot) return {"search", false, "Not begun: there is no cut to begin with."};
  if (record.spaces == 0) {
    return {"search", true,
            "The service's driver imagines nothing from this cut: there was nothing to search."};
  }
  std::string text = absl::StrCat(record.spaces_complete, " of ", Spaces(record.spaces),
                                  record.spaces == 1 ? " was" : " were", " searched to the end");
  if (record.spaces_complete == record.spaces) {
    return {"search", true,
            text + (record.predictions == 0 ? ": no violation can be reached from the cut." : ".")};
  }
  absl::StrAppend(&text, "; the deepest search saw ", DeepestOf(record), " steps ahead. ");
  if (record.predictions > 0) {
    absl::StrAppend(&text, "A search ends early once a violation is found.");
  } else {
    absl::StrAppend(&text, "What ends a search is rounds.budget, ", DurationText(config.budget),
                    ", or rounds.memory_max, ", SizeText(config.memory_max), ".");
  }
  return {"search", record.predictions > 0, text};
}

Finding Engines(const RoundRecord& record, const Config& config) {
  std::set<std::string> ran;
  std::set<std::string> faults;  // The same engine may fail alike in every space.
  for (const EngineRecord& run : record.engines) {
    ran.insert(run.engine);
    for (const std::string& fault : FaultsOf(run)) faults.insert(run.engine + " " + fault + ".");
  }
  if (!faults.empty()) {
    constexpr size_t kFaultsMax = 4;
    return {"engines", false, Joined({faults.begin(), faults.end()}, kFaultsMax)};
  }
  if (ran.empty()) return {"engines", true, "None has run."};
  std::vector<std::string> idle;
  for (const std::string& engine : config.engines) {
    if (!ran.contains(engine)) idle.push_back(engine);
  }
  std::string text = absl::StrCat("No failures; ", absl::StrJoin(ran, ", "), " ran");
  if (!idle.empty()) {
    absl::StrAppend(&text, ", nothing was left to do for ", absl::StrJoin(idle, ", "));
  }
  return {"engines", true, text + "."};
}

Finding Invariants(const model::Service& service, const Config& config) {
  std::vector<std::string> off;
  const auto infos = service.invariants();
  for (const model::InvariantInfo& info : infos) {
    if (config.ModeOf(info.name) == snapshot::Mode::kOff) off.push_back(info.name);
  }
  const size_t watched = infos.size() - off.size();
  std::string text = absl::StrCat(watched, " of ", infos.size(), " are watched");
  if (!off.empty()) absl::StrAppend(&text, "; off: ", absl::StrJoin(off, ", "));
  return {"invariants", watched > 0, text + "."};
}

Finding Archive(const RoundFacts& facts) {
  const std::string& path = facts.config.archive;
  if (path.empty()) return {"archive", true, "No cuts are kept: archive.path is not set."};
  if (facts.archiving.ok()) return {"archive", true, absl::StrCat("Cuts are kept in ", path, ".")};
  return {"archive", false, "It fails: " + std::string(facts.archiving.message())};
}

Finding Bundles(const RoundFacts& facts) {
  const Config& config = facts.config;
  if (config.bundles.empty())
    return {"bundles", true, "None are written: bundles.path is not set."};
  if (!facts.bundles.status().ok()) {
    return {"bundles", false, std::string(facts.bundles.status().message())};
  }
  return {"bundles", true,
          absl::StrCat(facts.bundles.count(), " of at most ", config.bundles_max, " are in ",
                       config.bundles, ".")};
}

}  // namespace

std::vector<Finding> FindingsOf(const RoundFacts& facts) {
  std::vector<Finding> findings = {
      Cut(facts.record),
      Search(facts.record, facts.config),
      Engines(facts.record, facts.config),
      Invariants(facts.service, facts.config),
      Archive(facts),
      Bundles(facts),
  };
  if (facts.record.killed) {
    findings.push_back({"vetoes", false, "The kill switch is on: nothing is vetoed."});
  }
  if (!facts.record.fallen_back.empty()) {
    findings.push_back({"vetoes", false, facts.record.fallen_back});
  }
  for (Finding& finding : findings) finding.text = Printable(finding.text, true);
  return findings;
}

}  // namespace foretell::agent
