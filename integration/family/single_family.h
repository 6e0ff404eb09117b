#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::examples {

// A protocol with one scenario, which is its initial state, and no planted bugs.
template <class Protocol>
class SingleFamily final : public model::ServiceFamily {
 public:
  SingleFamily(Protocol protocol, std::string name, std::string text, model::Named scenario)
      : protocol_(std::move(protocol)),
        name_(std::move(name)),
        text_(std::move(text)),
        scenario_(std::move(scenario)) {}

  std::string name() const override { return name_; }
  std::string text() const override { return text_; }
  std::vector<model::Named> scenarios() const override { return {scenario_}; }
  absl::StatusOr<model::System> Make(const std::string&, const std::string&) const override {
    model::System system;
    system.service = model::MakeService(protocol_);
    system.start = model::InitialCut(*system.service);
    return system;
  }

 private:
  Protocol protocol_;
  std::string name_;
  std::string text_;
  model::Named scenario_;
};

template <class Protocol>
std::unique_ptr<model::ServiceFamily> MakeSingleFamily(Protocol protocol, std::string name,
                                                       std::string text, model::Named scenario) {
  return std::make_unique<SingleFamily<Protocol>>(std::move(protocol), std::move(name),
                                                  std::move(text), std::move(scenario));
}

}  // namespace foretell::integration::examples
