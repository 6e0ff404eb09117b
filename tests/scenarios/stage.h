#pragma once

#include <filesystem>
#include <memory>

#include "foretell/agent/check/selection.h"
#include "foretell/agent/console/console.h"
#include "foretell/snapshot/testing/sample_records.h"
#include "foretell/tests/scenarios/letter_cluster.h"

namespace foretell::scenarios {

// What the commands of one story share. Each story plays in an empty folder of its own, which is
// the working directory meanwhile: paths in a story are short and the same everywhere.
class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  agent::Parts parts;                                        // The built-in services, and the toy.
  agent::TerminalStyle style{.utf8 = true, .columns = 120};  // Of whoever reads.
  std::unique_ptr<LetterCluster> cluster;                    // Null before `nodes`.

 private:
  const snapshot::TempFolder folder_;
  const std::filesystem::path before_;
};

}  // namespace foretell::scenarios
