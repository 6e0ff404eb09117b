#pragma once

#include <string>
#include <vector>

#include "foretell/model/family.h"

namespace foretell::integration {

// Families that users know by one name. Scenarios and bugs of all are listed in order; no name
// occurs twice among them.
class JoinedFamily : public model::ServiceFamily {
 public:
  // REQUIRES: there is at least one part; none has parameters.
  JoinedFamily(model::Named named, model::Catalog parts);

  std::string name() const override { return named_.name; }
  std::string text() const override { return named_.text; }
  std::vector<model::Named> scenarios() const override;
  std::vector<model::Named> bugs() const override;
  // The first that a part has.
  std::string live_scenario() const override;
  std::string version() const override;
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override;

 private:
  model::Named named_;
  model::Catalog parts_;
};

}  // namespace foretell::integration
