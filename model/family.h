#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::model {

// A service together with the cut to start from.
struct System {
  std::unique_ptr<Service> service;
  SystemCut start;
  // Groups of nodes that have more to do with each other than with the rest, as `foretell check
  // --components` takes them. Empty: every node is on its own.
  std::string components;
};

// A number of a protocol that users may set: `--param NAME=VALUE`.
struct Parameter {
  Named named;
  int64_t value = 0;  // Unless somebody sets it.
  int64_t min = 0;
  int64_t max = 0;
};

// Where every node is in its initial state and nothing is in flight.
SystemCut InitialCut(const Service& service);

inline constexpr const char* kUnversioned = "unversioned";

// A protocol as users see it: `foretell check NAME --scenario S --bug B`.
class ServiceFamily {
 public:
  virtual ~ServiceFamily() = default;
  virtual std::string name() const = 0;
  virtual std::string text() const = 0;              // One line.
  virtual std::vector<Named> scenarios() const = 0;  // At least one; the first is the default.
  virtual std::vector<Named> bugs() const { return {}; }
  virtual std::vector<Parameter> parameters() const { return {}; }
  // Where nodes start that are to run live: one of scenarios(), or empty if there is none. Its
  // start is every node's initial state with nothing in flight.
  virtual std::string live_scenario() const { return ""; }
  // Names the code of the handlers: two builds with the same version take the same steps. Snapshots
  // and bundles of another version are refused.
  virtual std::string version() const { return kUnversioned; }
  // REQUIRES: `scenario` is one of scenarios(), with settings of parameters() if there are any (see
  // model/scenario.h); `bug` is empty or one of bugs(). Fails with InvalidArgument if the two do
  // not go together.
  virtual absl::StatusOr<System> Make(const std::string& scenario,
                                      const std::string& bug) const = 0;
  virtual bool has_judge() const { return false; }
  // The verdict of a judge that shares no code with the service on a violation whose path starts
  // where `scenario` does: one line that begins with "confirmed", "not confirmed" or "cannot be
  // expressed". Nothing without a judge. REQUIRES: as Make, which does not fail.
  virtual std::optional<std::string> SecondOpinion(const std::string& scenario,
                                                   const std::string& bug,
                                                   const Violation& violation) const {
    (void)scenario, (void)bug, (void)violation;
    return std::nullopt;
  }
};

using Catalog = std::vector<std::unique_ptr<ServiceFamily>>;

// The family of that name; null if there is none.
const ServiceFamily* FindFamily(const Catalog& catalog, const std::string& name);

}  // namespace foretell::model
