#pragma once

// The toy protocol with names for people: roles, labels of choices, and, if the test wants, a text
// in every place where a service can say one.

#include <span>
#include <string>
#include <vector>

#include "foretell/agent/testing/toy_path.h"
#include "foretell/model/forwarding_service.h"

namespace foretell::agent {

// Everything that some format takes for something else than text.
inline std::string HostileText() {
  return "</td><script>&\"'" + std::string("\x01\x1b\0", 3) +
         "\xff\xef\xbf\xbf]]>\r\n::error::%0A{0}[a](b)\\\\ // */ )test\" $STEPS" +
         std::string(300, 'x');
}

class NamedToy final : public model::ForwardingService {
 public:
  // Empty: as the toy says it.
  explicit NamedToy(const model::Service& toy, std::string says = "")
      : ForwardingService(toy), says_(std::move(says)) {}

  std::string Role(NodeId node) const override {
    return node == NodeId(0) ? says_.empty() ? "candidate" : says_ : "";
  }
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override {
    model::HandlerResult result = inner_.Run(node, state, events, choices);
    for (size_t i = 0; i < result.choices_offered.size(); ++i) {
      const bool yes = i < choices.size() && choices[i] == 1;
      result.choice_labels.push_back(says_.empty() ? yes ? "assent" : "" : says_);
    }
    return result;
  }
  std::vector<std::string> message_kinds() const override {
    if (says_.empty()) return inner_.message_kinds();
    return {says_, says_};
  }
  std::string RenderMessage(const std::string& body) const override {
    return inner_.RenderMessage(body) + says_;
  }
  std::vector<model::Field> MessageFields(const std::string& body) const override {
    if (says_.empty()) return inner_.MessageFields(body);
    return {{says_, says_}};
  }
  std::vector<model::Field> RenderState(NodeId node, const std::string& state) const override {
    std::vector<model::Field> fields = inner_.RenderState(node, state);
    for (model::Field& field : fields) field = {field.name + says_, field.value + says_};
    return fields;
  }

 private:
  const std::string says_;
};

inline SpaceTime NamedPicture(const std::string& says = "", const std::string& title = "toy") {
  const model::System system = *ToyFamily().Make("fresh", "says-yes");
  const auto picture = BuildSpaceTime(NamedToy(*system.service, says), system.start,
                                      {"never-elected" + says, "Why" + says, ToyPath()}, title);
  EXPECT_TRUE(picture.ok()) << picture.status();
  return *picture;
}

}  // namespace foretell::agent
