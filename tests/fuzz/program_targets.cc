#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {

std::span<const Target> AllTargets() {
  static constexpr Target kTargets[] = {{"config", RunConfig, ConfigSeeds},
                                        {"debug", RunDebug, DebugSeeds},
                                        {"report", RunReport, ReportSeeds}};
  return kTargets;
}

}  // namespace foretell::fuzz
