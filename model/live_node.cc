#include "foretell/model/live_node.h"

#include <algorithm>
#include <span>
#include <utility>

namespace foretell::model {
namespace {

class EncodedNode final : public LiveNode {
 public:
  EncodedNode(const Service& service, NodeId node, std::string state)
      : service_(service), node_(node), state_(std::move(state)) {}

  HandlerResult Handle(const Event& event, const Draw& draw) override {
    // The choices are drawn one by one: what is offered next can depend on the last answer.
    std::vector<uint32_t> choices;
    HandlerResult result = Run(event, choices);
    while (choices.size() < result.choices_offered.size()) {
      const uint32_t k = result.choices_offered[choices.size()];
      choices.push_back(std::min(draw(k), k - 1));
      result = Run(event, choices);
    }
    state_ = std::move(result.state);
    result.state.clear();
    return result;
  }
  std::string Encode() const override { return state_; }
  std::string Survivor() const override {
    return Run({.kind = EventKind::kCrash, .peer = NodeId(0)}, {}).state;
  }
  std::vector<std::string> Actions() const override { return service_.Actions(node_, state_); }
  std::vector<std::string> Calls() const override { return service_.Calls(node_, state_); }
  std::optional<std::string> Project(size_t invariant) const override {
    return service_.Project(invariant, node_, state_);
  }
  std::unique_ptr<LiveNode> Clone() const override { return std::make_unique<EncodedNode>(*this); }

 private:
  HandlerResult Run(const Event& event, std::span<const uint32_t> choices) const {
    return service_.Run(node_, state_, std::span(&event, 1), choices);
  }

  const Service& service_;
  NodeId node_;
  std::string state_;
};

}  // namespace

std::string LiveNode::EncodeInto(std::string) const { return Encode(); }

std::optional<std::string> LiveNode::Ask(const std::string&) const { return std::nullopt; }

std::vector<std::string> OnlyCalls(const Service& service, std::vector<std::string> actions) {
  std::erase_if(actions, [&service](const std::string& body) {
    return service.Timing(body).origin != ActionTiming::Origin::kCall;
  });
  return actions;
}

std::unique_ptr<LiveNode> MakeEncodedNode(const Service& service, NodeId node, std::string state) {
  return std::make_unique<EncodedNode>(service, node, std::move(state));
}

ActionTiming Service::Timing(const std::string&) const { return {}; }

std::vector<std::string> Service::Calls(NodeId node, const std::string& state) const {
  return OnlyCalls(*this, Actions(node, state));
}

std::optional<std::string> Service::ParseCall(const std::string&) const { return std::nullopt; }

std::unique_ptr<LiveNode> Service::MakeLive(NodeId node, const std::string& state) const {
  return MakeEncodedNode(*this, node, state);
}

std::vector<Imagined> Service::Imagine(const SystemCut& live) const {
  return {{live, live, "the cluster just goes on"}};
}

}  // namespace foretell::model
