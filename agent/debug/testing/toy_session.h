#pragma once

// Sessions on the toy protocol: one with a path into a violation, one with a path into death.

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "foretell/agent/debug/command_loop.h"
#include "foretell/agent/testing/toy_path.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {

// The toy, where it is a liveness predicate that node 0 hears yes from both others.
class ElectionToy final : public model::ForwardingService {
 public:
  explicit ElectionToy(std::unique_ptr<model::Service> toy)
      : ForwardingService(*toy), toy_(std::move(toy)) {}

  std::span<const model::InvariantInfo> invariants() const override { return invariants_; }
  std::optional<std::string> Project(size_t invariant, model::NodeId node,
                                     const std::string& state) const override {
    return node == model::NodeId(0) ? inner_.Project(invariant, node, state) : std::nullopt;
  }
  bool Violates(size_t invariant, std::span<const std::optional<std::string>> keys) const override {
    return !inner_.Violates(invariant, keys);
  }

 private:
  const std::unique_ptr<model::Service> toy_;
  const std::vector<model::InvariantInfo> invariants_ = {
      {.name = "elected",
       .text = "Node 0 hears yes from both others.",
       .scope = model::Scope::kNode,
       .eventually = true}};
};

inline Subject ToySubject() {
  static const ToyFamily family;
  Subject subject{.title = "toy, scenario fresh, bug says-yes, engine lmc", .engine = "lmc"};
  subject.selection = {"toy", "fresh", "says-yes", *family.Make("fresh", "says-yes"), &family};
  subject.start = subject.selection.system.start;
  subject.path = ToyPath();
  subject.invariant = "never-elected";
  return subject;
}

// Node 1 says no in step 2, and that is that; its twin says yes.
inline Subject DeadSubject() {
  using model::EventKind;
  using model::NodeId;
  Subject subject = ToySubject();
  std::unique_ptr<model::Service>& service = subject.selection.system.service;
  service = std::make_unique<ElectionToy>(std::move(service));
  subject.invariant = "elected";
  const std::string ask = model::Encode(ToyProtocol::Message(ToyProtocol::Ask{1}));
  const std::string yes = model::Encode(ToyProtocol::Message(ToyProtocol::Vote{true}));
  const std::string no = model::Encode(ToyProtocol::Message(ToyProtocol::Vote{false}));
  const model::PathStep campaign{NodeId(0), {EventKind::kAction, NodeId(0), ""}, {}};
  subject.path = {campaign,
                  {NodeId(1), {EventKind::kDeliver, NodeId(0), ask}, {0}},
                  {NodeId(0), {EventKind::kDeliver, NodeId(1), no}, {}}};
  model::Death death{.critical_step = 2};
  death.twin = {campaign,
                {NodeId(1), {EventKind::kDeliver, NodeId(0), ask}, {1}},
                {NodeId(0), {EventKind::kDeliver, NodeId(1), yes}, {}},
                {NodeId(2), {EventKind::kDeliver, NodeId(0), ask}, {1}},
                {NodeId(0), {EventKind::kDeliver, NodeId(2), yes}, {}}};
  subject.death = std::make_shared<const model::Death>(std::move(death));
  return subject;
}

// A session and what it has written.
class Debugged {
 public:
  explicit Debugged(Subject subject, Session::Open open = nullptr)
      : session_(Session::Begin(std::move(subject), std::move(open))) {
    EXPECT_TRUE(session_.ok()) << session_.status();
  }
  Session& session() { return *session_; }

  // What a command writes; "error: ..." if it fails.
  std::string Run(const std::string& line) {
    std::ostringstream out;
    const Screen screen{.out = out, .style = {.utf8 = true, .columns = 100}};
    const absl::Status status = RunLine(line, *session_, screen);
    if (!status.ok()) out << "error: " << status.message() << "\n";
    return out.str();
  }

 private:
  absl::StatusOr<Session> session_;
};

}  // namespace foretell::agent
