#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/forwarding_service.h"

namespace foretell::model {

// A service with other interchangeable nodes than it says itself.
class NamedClasses final : public ForwardingService {
 public:
  using Classes = std::vector<std::vector<NodeId>>;

  NamedClasses(const Service& inner, Classes classes)
      : ForwardingService(inner), classes_(std::move(classes)) {}
  Classes Interchangeable() const override { return classes_; }

  // Classes as people write them: 2-4/5,6. Nothing: no class. InvalidArgument, naming the word, if
  // it is not that or there are no such nodes.
  static absl::StatusOr<Classes> Parse(const std::string& text, uint32_t node_count);

 private:
  Classes classes_;
};

}  // namespace foretell::model
