#pragma once

// Checks every cut of an archive, several at a time.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/report.h"
#include "foretell/snapshot/archive/archive.h"

namespace foretell::agent {

struct ArchiveCheckPlan {
  const snapshot::ArchiveReader* archive = nullptr;
  std::vector<snapshot::ArchiveEntry> entries;  // Cuts to check, in this order.
  std::vector<const Selection*> selections;     // The service of each.
  // Null: the engines of an agent, as it runs them.
  const predictors::Engine* engine = nullptr;
  std::chrono::milliseconds budget{};  // Per cut.
  uint64_t steps = UINT64_MAX;         // Per cut.
  uint64_t bytes = UINT64_MAX;         // Per cut.
  uint32_t jobs = 1;
};

struct Prediction {
  std::string invariant;
  size_t steps = 0;      // From the cut to the violation.
  std::string imagined;  // The acts of the test driver.
  std::string engine;    // That found it; empty: the cut itself breaks it.

  // The cut itself breaks it: nothing was there to be predicted any more.
  bool happened() const { return steps == 0; }
};

// The result for one cut.
struct CutVerdict {
  bool done = false;    // False: not begun before an interrupt.
  absl::Status status;  // Not ok: why it could not be checked.
  model::Outcome outcome = model::Outcome::kNone;
  bool complete = false;
  std::vector<Prediction> predictions;
  double seconds = 0;
};

// One verdict per entry. Runs `plan.jobs` threads; `console` is touched by the calling thread only,
// but for its clock and its interrupt, which are asked by one thread at a time. An interrupt ends
// the searches under way.
std::vector<CutVerdict> CheckArchive(const ArchiveCheckPlan& plan, Console& console);

}  // namespace foretell::agent
