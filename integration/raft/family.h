#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foretell/model/family.h"

namespace foretell::integration::raft {

// `foretell check raft`: start cuts for Debian's libraft. No bugs are planted: the library has its
// own.
class Family final : public model::ServiceFamily {
 public:
  std::string name() const override { return "raft"; }
  std::string text() const override;
  std::vector<model::Named> scenarios() const override;
  std::string live_scenario() const override;
  std::string version() const override;
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override;
  // Of the simulator that comes with the library: judge.h.
  bool has_judge() const override { return true; }
  std::optional<std::string> SecondOpinion(const std::string& scenario, const std::string& bug,
                                           const model::Violation& violation) const override;
};

}  // namespace foretell::integration::raft
