#pragma once

#include <string>
#include <vector>

#include "foretell/agent/recorded/archive_check.h"

namespace foretell::agent {

// The results of checking an archive.
struct ArchiveSummary {
  std::string file;
  std::string systems;  // "toy, scenario fresh; toy, scenario asked".
  std::string engine;   // Or several, with commas.
  std::vector<std::string> plugins;
  std::vector<std::string> warnings;
  size_t skipped = 0;  // Of another version.
  bool interrupted = false;
  double seconds = 0;
  uint32_t jobs = 1;
};

// A table for people: how many cuts, what was predicted, where first, and how long it took.
std::string SummaryText(const ArchiveSummary& summary, const ArchiveCheckPlan& plan,
                        const std::vector<CutVerdict>& verdicts, const TerminalStyle& style);
// One object and a newline.
std::string SummaryJson(const ArchiveSummary& summary, const ArchiveCheckPlan& plan,
                        const std::vector<CutVerdict>& verdicts);

}  // namespace foretell::agent
