#include "foretell/agent/guard/watched_service.h"

#include <memory>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/guard/running.h"
#include "foretell/agent/guard/where.h"
#include "foretell/model/foreign/service/service_fault.h"
#include "foretell/model/forwarding_service.h"

namespace foretell::agent {
namespace {

using What = Running::What;

// The text of the exception that is being handled.
std::string Thrown() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

// Engine `dpor` runs processes on nodes that live. The service outlives it.
class WatchedLive final : public model::LiveNode {
 public:
  WatchedLive(const std::string& name, const model::Service& service, model::NodeId node,
              std::unique_ptr<model::LiveNode> inner)
      : name_(name), service_(service), node_(node), inner_(std::move(inner)) {}

  model::HandlerResult Handle(const model::Event& event, const model::Draw& draw) override {
    const Running running{.what = What::kHandler,
                          .name = &name_,
                          .service = &service_,
                          .node = node_,
                          .events = std::span(&event, 1)};
    const Noted noted(running);
    return inner_->Handle(event, draw);
  }
  std::string Encode() const override { return inner_->Encode(); }
  std::string EncodeInto(std::string spare) const override {
    return inner_->EncodeInto(std::move(spare));
  }
  std::string Survivor() const override { return inner_->Survivor(); }
  std::vector<std::string> Actions() const override { return inner_->Actions(); }
  std::vector<std::string> Calls() const override { return inner_->Calls(); }
  std::optional<std::string> Ask(const std::string& question) const override {
    return inner_->Ask(question);
  }
  std::optional<std::string> Project(size_t invariant) const override {
    return inner_->Project(invariant);
  }
  std::unique_ptr<model::LiveNode> Clone() const override {
    return std::make_unique<WatchedLive>(name_, service_, node_, inner_->Clone());
  }

 private:
  const std::string& name_;
  const model::Service& service_;
  const model::NodeId node_;
  const std::unique_ptr<model::LiveNode> inner_;
};

class WatchedService final : public model::ForwardingService {
 public:
  WatchedService(std::string name, std::unique_ptr<model::Service> inner)
      : ForwardingService(*inner), name_(std::move(name)), owned_(std::move(inner)) {}

  std::string InitialState(NodeId node) const override {
    return Watch({.what = What::kInitial, .node = node}, [&] { return inner_.InitialState(node); });
  }
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    return Watch({.what = What::kActions, .node = node, .state = &state},
                 [&] { return inner_.Actions(node, state); });
  }
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override {
    const Running running{.what = What::kHandler,
                          .name = &name_,
                          .service = &inner_,
                          .node = node,
                          .state = &state,
                          .events = events};
    model::HandlerResult result;
    try {
      const Noted noted(running);
      result = inner_.Run(node, state, events, choices);
    } catch (const model::foreign::ServiceFault& e) {
      throw ServiceThrew(absl::StrCat(name_, ": ", e.what()));
    } catch (...) {
      result.failure = absl::StrCat("exception: ", Thrown());
    }
    const uint32_t nodes = inner_.node_count();
    for (const model::Send& send : result.sends) {
      if (send.to.value() >= nodes && result.failure.empty()) {
        result.failure = "sends to a node that does not exist";
      }
    }
    return result;
  }
  Key Project(size_t invariant, NodeId node, const std::string& state) const override {
    return Watch({.what = What::kProjection, .node = node, .state = &state, .index = invariant},
                 [&] { return inner_.Project(invariant, node, state); });
  }
  bool Violates(size_t invariant, std::span<const Key> keys) const override {
    return Watch({.what = What::kInvariant, .index = invariant},
                 [&] { return inner_.Violates(invariant, keys); });
  }
  bool Reached(size_t goal, NodeId node, const std::string& state) const override {
    return Watch({.what = What::kGoal, .node = node, .state = &state, .index = goal},
                 [&] { return inner_.Reached(goal, node, state); });
  }
  std::unique_ptr<model::LiveNode> MakeLive(NodeId node, const std::string& state) const override {
    return Watch({}, [&] {
      return std::make_unique<WatchedLive>(name_, inner_, node, inner_.MakeLive(node, state));
    });
  }
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    return Watch({.what = What::kDriver}, [&] { return inner_.Imagine(live); });
  }
  std::vector<model::Field> RenderState(NodeId node, const std::string& state) const override {
    return Watch({}, [&] { return inner_.RenderState(node, state); });
  }
  std::string RenderMessage(const std::string& body) const override {
    return Watch({}, [&] { return inner_.RenderMessage(body); });
  }
  std::string RenderAction(const std::string& body) const override {
    return Watch({}, [&] { return inner_.RenderAction(body); });
  }
  // What follows is asked while a search runs, or by live hosts. A service behind a process may
  // fail at any of it.
  std::string Relevant(const std::string& state) const override {
    return Watch({}, [&] { return inner_.Relevant(state); });
  }
  size_t MessageKind(const std::string& body) const override {
    return Watch({}, [&] { return inner_.MessageKind(body); });
  }
  size_t ActionKind(const std::string& body) const override {
    return Watch({}, [&] { return inner_.ActionKind(body); });
  }
  std::vector<model::Field> MessageFields(const std::string& body) const override {
    return Watch({}, [&] { return inner_.MessageFields(body); });
  }
  std::vector<model::Field> ActionFields(const std::string& body) const override {
    return Watch({}, [&] { return inner_.ActionFields(body); });
  }
  model::ActionTiming Timing(const std::string& body) const override {
    return Watch({}, [&] { return inner_.Timing(body); });
  }
  std::optional<uint32_t> Weight(const Event& event) const override {
    return Watch({}, [&] { return inner_.Weight(event); });
  }
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override {
    return Watch({.what = What::kActions, .node = node, .state = &state},
                 [&] { return inner_.Calls(node, state); });
  }
  bool ValidState(const std::string& state) const override {
    return Watch({}, [&] { return inner_.ValidState(state); });
  }
  bool ValidMessage(const std::string& body) const override {
    return Watch({}, [&] { return inner_.ValidMessage(body); });
  }
  bool ValidAction(const std::string& body) const override {
    return Watch({}, [&] { return inner_.ValidAction(body); });
  }

 private:
  template <class Call>
  std::invoke_result_t<const Call&> Watch(Running running, const Call& call) const {
    running.name = &name_;
    running.service = &inner_;
    try {
      const Noted noted(running);
      return call();
    } catch (...) {
      throw ServiceThrew(absl::StrCat(name_, ": ", Where(running), " threw: ", Thrown()));
    }
  }

  const std::string name_;
  const std::unique_ptr<model::Service> owned_;
};

}  // namespace

absl::StatusOr<model::System> MakeWatched(
    const std::string& name, const std::function<absl::StatusOr<model::System>()>& make) {
  const Running running{.what = What::kMake, .name = &name};
  absl::StatusOr<model::System> system;
  try {
    const Noted noted(running);
    system = make();
  } catch (...) {
    return absl::InvalidArgumentError(absl::StrCat(Where(running), " threw: ", Thrown()));
  }
  if (system.ok() && system->service != nullptr) {
    system->service = std::make_unique<WatchedService>(name, std::move(system->service));
  }
  return system;
}

}  // namespace foretell::agent
