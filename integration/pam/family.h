#pragma once

#include <string>

#include "foretell/integration/family/scenario_family.h"
#include "foretell/integration/pam/protocol.h"

namespace foretell::integration::pam {

// `foretell check pam`.
class Family final : public ScenarioFamily<Protocol> {
 public:
  Family();
  std::string name() const override { return "pam"; }
  std::string text() const override;
  std::string version() const override;

 protected:
  std::string Lacks(const Scenario& scenario, Bug bug) const override;
};

}  // namespace foretell::integration::pam
