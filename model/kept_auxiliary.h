#pragma once

#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"

namespace foretell::model {

// A service without auxiliary parts: states that differ in anything are different.
class KeptAuxiliary final : public ForwardingService {
 public:
  using ForwardingService::ForwardingService;
  std::string Relevant(const std::string& state) const override { return state; }
  bool has_auxiliary() const override { return false; }
  std::vector<std::string> claimed_auxiliary() const override { return {}; }
};

}  // namespace foretell::model
