#pragma once

#include <string>

#include "foretell/integration/chord/protocol.h"
#include "foretell/integration/family/scenario_family.h"

namespace foretell::integration::chord {

// `foretell check chord`: rings of two and three nodes, and planted bugs.
class Family final : public ScenarioFamily<Protocol> {
 public:
  Family();
  std::string name() const override { return "chord"; }
  std::string text() const override;
  std::string version() const override;

 protected:
  std::string Lacks(const Scenario& scenario, Bug bug) const override;
};

}  // namespace foretell::integration::chord
