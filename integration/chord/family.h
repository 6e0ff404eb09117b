#pragma once

#include <string>
#include <vector>

#include "model/family.h"

namespace foretell::integration::chord {

// `foretell check chord`: rings of two and three nodes, and planted bugs.
class Family final : public model::ServiceFamily {
 public:
  std::string name() const override { return "chord"; }
  std::string text() const override;
  std::vector<model::Named> scenarios() const override;
  std::vector<model::Named> bugs() const override;
  std::string version() const override;
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override;
};

}  // namespace foretell::integration::chord
