#pragma once

#include <string>

#include "foretell/integration/family/scenario_family.h"
#include "foretell/integration/pastry/protocol.h"

namespace foretell::integration::pastry {

// `foretell check pastry`: overlays of two and three nodes, and planted bugs.
class Family final : public ScenarioFamily<Protocol> {
 public:
  Family();
  std::string name() const override { return "pastry"; }
  std::string text() const override;
  std::string version() const override;

 protected:
  std::string Lacks(const Scenario& scenario, Bug bug) const override;
};

}  // namespace foretell::integration::pastry
