#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"
#include "foretell/model/foreign/service/connection.h"
#include "foretell/model/foreign/wire/values.h"

namespace foretell::model::foreign {

// The families that `connection` describes. `file_version` goes with what they say of their own
// version. InvalidArgument for a description that makes no sense; else as Carrier::Call.
absl::StatusOr<Catalog> DescribeFamilies(const std::shared_ptr<Connection>& connection,
                                         const std::string& file_version, bool& one_thread);

// A family whose services are behind a carrier.
class ForeignFamily final : public ServiceFamily {
 public:
  ForeignFamily(std::shared_ptr<Connection> connection, FamilyRecord record, std::string version);

  std::string name() const override { return record_.named.name; }
  std::string text() const override { return record_.named.text; }
  std::vector<Named> scenarios() const override { return record_.scenarios; }
  std::vector<Named> bugs() const override { return record_.bugs; }
  std::vector<Parameter> parameters() const override { return record_.parameters; }
  std::string live_scenario() const override { return record_.live_scenario; }
  std::string version() const override { return version_; }
  absl::StatusOr<System> Make(const std::string& scenario, const std::string& bug) const override;
  bool has_judge() const override { return record_.has_judge; }
  std::optional<std::string> SecondOpinion(const std::string& scenario, const std::string& bug,
                                           const Violation& violation) const override;

 private:
  const std::shared_ptr<Connection> connection_;
  const FamilyRecord record_;
  const std::string version_;
};

}  // namespace foretell::model::foreign
