#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cut.h"
#include "model/service.h"

namespace foretell::model {

// A service together with the cut to start from.
struct System {
  std::unique_ptr<Service> service;
  SystemCut start;
};

struct Named {
  std::string name;
  std::string text;  // One line.
};

// Where every node is in its initial state and nothing is in flight.
SystemCut InitialCut(const Service& service);

// A protocol as users see it: `foretell check NAME --scenario S --bug B`.
class ServiceFamily {
 public:
  virtual ~ServiceFamily() = default;
  virtual std::string name() const = 0;
  virtual std::string text() const = 0;              // One line.
  virtual std::vector<Named> scenarios() const = 0;  // At least one; the first is the default.
  virtual std::vector<Named> bugs() const { return {}; }
  // REQUIRES: `scenario` is one of scenarios(); `bug` is empty or one of bugs(). Fails with
  // InvalidArgument if the two do not go together.
  virtual absl::StatusOr<System> Make(const std::string& scenario,
                                      const std::string& bug) const = 0;
};

using Catalog = std::vector<std::unique_ptr<ServiceFamily>>;

}  // namespace foretell::model
