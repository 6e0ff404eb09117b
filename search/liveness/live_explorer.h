#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/liveness/fairness.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::search {

// The losses that are counted with.
enum class Loss : uint8_t {
  kAny,   // Every datagram can be lost.
  kNone,  // What is in flight arrives in the end.
};

struct LiveOptions : model::ExploreOptions {
  std::string property;  // The name of a liveness predicate.
  model::CountOn count_on = model::CountOn::kCalls;
  Loss loss = Loss::kAny;
  // Unless it is kNone: whether the predicate can stay away for ever although nobody is unfair.
  model::Fairness fairness = model::Fairness::kNone;
  // Leave out interleavings that lead to no death of their own. The verdict is the same; paths are
  // not the shortest.
  bool reduce = false;
  model::Weights weights;
  uint64_t seed = 1;
  // What was found is told in full, however late it is, within so many steps of their own: some
  // seconds of work at most.
  uint64_t words_steps_max = 20'000'000;
  // Recorded cuts of the run that the start is of, the oldest first, for search/prefixes.
  std::vector<model::SystemCut> earlier;
};

// Engine `live`: whether the system can get to where a liveness predicate can never hold again.
// Report::liveness has the verdict, the violation its Death. The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeLiveExplorer(const model::Service& service,
                                                  LiveOptions options);

// What becomes of one state, for whoever has no time to look any further.
struct CutJudgement {
  // kLive: there is a way to where the predicate holds. kStartDead, kSuspected, kUndecided.
  model::LivenessVerdict verdict = model::LivenessVerdict::kUndecided;
  std::optional<size_t> steps;  // kLive: of a shortest way, if it was found; 0: it holds.
  // kStartDead: the proof and the cures. kLive: likewise, if it is dead once what is in flight is
  // lost, and that is counted with.
  std::optional<model::Violation> violation;
  std::string text;  // One line: what the verdict rests on.
};
// Fails if `cut` is none of the service, or on our own bug.
absl::StatusOr<CutJudgement> JudgeCut(const model::Service& service, const LiveOptions& options,
                                      const model::SystemCut& cut, model::Budget& budget);

// The finished violation, with its proof, twin and cures, if `path` leads from `start` into death;
// nothing if it does not, or nobody could tell. Fails if it does not replay.
absl::StatusOr<std::optional<model::Violation>> ExamineDeath(const model::Service& service,
                                                             const LiveOptions& options,
                                                             const model::SystemCut& start,
                                                             const model::Path& path,
                                                             model::Budget& budget);

}  // namespace foretell::search
