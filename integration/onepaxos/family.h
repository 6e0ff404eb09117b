#pragma once

#include <string>
#include <vector>

#include "foretell/model/family.h"

namespace foretell::integration::onepaxos {

// `foretell check onepaxos`: start cuts and planted bugs for onepaxos::Protocol.
class Family final : public model::ServiceFamily {
 public:
  std::string name() const override { return "onepaxos"; }
  std::string text() const override;
  std::vector<model::Named> scenarios() const override;
  std::vector<model::Named> bugs() const override;
  std::string live_scenario() const override;
  std::string version() const override;
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override;
};

}  // namespace foretell::integration::onepaxos
