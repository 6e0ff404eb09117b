#pragma once

// States and events of one run, as a checker meets them; for measurements.

#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::integration::raft::testing {

struct FirstStep {
  std::string state;  // Of the node, before it.
  model::PathStep step;
};

// The first enabled step, then the first one enabled after it, until none is.
inline std::vector<FirstStep> FirstSteps(const model::System& system) {
  std::vector<FirstStep> steps;
  model::PlainSystem at(*system.service, system.start);
  for (auto enabled = at.Enabled(); !enabled.empty(); enabled = at.Enabled()) {
    steps.push_back({at.state().nodes[enabled[0].node.index()].body, enabled[0]});
    if (!at.Apply(enabled[0]).ok()) break;
  }
  return steps;
}

}  // namespace foretell::integration::raft::testing
