#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "foretell/model/foreign/service/connection.h"
#include "foretell/model/foreign/service/sampler.h"
#include "foretell/model/foreign/wire/values.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::model::foreign {

// A service whose code is behind a carrier. What it does not answer has the defaults of Service. A
// handler that cannot be run to its end has failed, which is a finding; where nothing can fail by
// the contract of Service, std::runtime_error is thrown, with the op and the cause; and
// ServiceFault for one that two processes answer differently.
class ForeignService final : public Service {
 public:
  // REQUIRES: `system` was opened by the request `open`, and described itself by `record`.
  ForeignService(std::shared_ptr<Connection> connection, uint32_t system, std::string open,
                 SystemRecord record);
  ~ForeignService() override;

  uint32_t node_count() const override { return static_cast<uint32_t>(record_.nodes.size()); }
  Network network() const override { return record_.network; }
  FaultBudget faults(NodeId node) const override { return record_.nodes[node.index()].faults; }
  std::span<const InvariantInfo> invariants() const override { return record_.invariants; }
  std::string InitialState(NodeId node) const override;
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override;
  HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                    std::span<const uint32_t> choices) const override;
  std::string Relevant(const std::string& state) const override;
  bool has_auxiliary() const override { return record_.has_auxiliary; }
  std::vector<std::string> claimed_auxiliary() const override { return record_.auxiliary; }
  std::optional<std::string> Project(size_t invariant, NodeId node,
                                     const std::string& state) const override;
  bool Violates(size_t invariant, std::span<const std::optional<std::string>> keys) const override;
  std::span<const Named> goals() const override { return record_.goals; }
  bool Reached(size_t goal, NodeId node, const std::string& state) const override;
  std::string Role(NodeId node) const override { return record_.nodes[node.index()].role; }
  std::vector<std::string> message_kinds() const override { return record_.message_kinds; }
  std::vector<std::string> action_kinds() const override { return record_.action_kinds; }
  size_t MessageKind(const std::string& body) const override;
  size_t ActionKind(const std::string& body) const override;
  std::vector<EventKind> fault_handlers() const override { return record_.fault_handlers; }
  std::vector<Field> RenderState(NodeId node, const std::string& state) const override;
  std::string RenderMessage(const std::string& body) const override;
  std::string RenderAction(const std::string& body) const override;
  std::vector<Field> MessageFields(const std::string& body) const override;
  std::vector<Field> ActionFields(const std::string& body) const override;
  bool ValidState(const std::string& state) const override;
  bool ValidMessage(const std::string& body) const override;
  bool ValidAction(const std::string& body) const override;
  bool notices_breaks() const override { return record_.notices_breaks; }
  ActionTiming Timing(const std::string& body) const override;
  std::optional<uint32_t> Weight(const Event& event) const override;
  bool has_timers() const override { return record_.has_timers; }
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override;
  std::optional<std::string> ParseCall(const std::string& text) const override;
  std::unique_ptr<LiveNode> MakeLive(NodeId node, const std::string& state) const override;
  std::vector<Imagined> Imagine(const SystemCut& live) const override;

  // Answers an application's question about a state of a live node.
  std::optional<std::string> Ask(NodeId node, const std::string& state,
                                 const std::string& question) const;
  // A judge's word on a path that breaks `invariant`.
  std::optional<std::string> Opinion(const std::string& invariant, const Path& path) const;

 private:
  // Bodies and their kinds: everybody who counts asks again and again.
  struct Kinds {
    Mutex mutex;
    absl::flat_hash_map<std::string, uint32_t> known ABSL_GUARDED_BY(mutex);
  };

  // Asks `op` with what `write` adds to the number of the system, and reads the whole reply by
  // `read`. False if the service does not know the op.
  template <class Write, class Read>
  bool Ask(uint32_t op, Write&& write, Read&& read) const;
  bool Valid(uint32_t what, const std::string& bytes) const;
  // False if it does not render.
  bool Render(uint32_t what, uint32_t node, const std::string& bytes, std::string& line,
              std::vector<Field>& fields) const;
  std::string Line(uint32_t what, const std::string& body) const;
  size_t Kind(uint32_t what, const std::string& body, size_t kinds, Kinds& memory) const;

  const std::shared_ptr<Connection> connection_;
  const uint32_t system_;
  const SystemRecord record_;
  const std::unique_ptr<Sampler> sampler_;        // Null if there is no other process.
  mutable std::atomic<uint64_t> unsupported_{0};  // Ops, as bits.
  mutable Kinds message_kinds_;
  mutable Kinds action_kinds_;
};

}  // namespace foretell::model::foreign
