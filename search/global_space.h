#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/mailboxes.h"
#include "foretell/search/minimise/minimised_nodes.h"

namespace foretell::search {

// A global state by id: the node states and, for each node, what is in flight to it.
class GlobalState {
 public:
  explicit GlobalState(uint32_t node_count) : fields_(2 * size_t{node_count}) {}

  model::StateId state(model::NodeId node) const {
    return model::StateId(fields_[2 * node.index()]);
  }
  MailboxId mailbox(model::NodeId node) const { return MailboxId(fields_[2 * node.index() + 1]); }
  void set_state(model::NodeId node, model::StateId id) { fields_[2 * node.index()] = id.value(); }
  void set_mailbox(model::NodeId node, MailboxId id) { fields_[2 * node.index() + 1] = id.value(); }
  uint32_t node_count() const { return static_cast<uint32_t>(fields_.size() / 2); }

  // For the visited set.
  std::span<const uint32_t> fields() const { return fields_; }
  std::span<uint32_t> fields() { return fields_; }
  friend bool operator==(const GlobalState&, const GlobalState&) = default;

 private:
  std::vector<uint32_t> fields_;
};

// An event at a node.
struct Move {
  model::NodeId node;
  model::EventId event;
  friend bool operator==(const Move&, const Move&) = default;
};

// A part of all that can happen.
class MoveFilter {
 public:
  virtual ~MoveFilter() = default;
  // Whether any outcome of `event` is part of it ...
  virtual bool Follows(model::EventId event) const = 0;
  // ... and whether this one is.
  virtual bool Follows(model::EventId event, const model::Step& step) const = 0;
};

// The global semantics on ids: which events are enabled, and where they lead.
class GlobalSpace {
 public:
  explicit GlobalSpace(model::TransitionTable& table, Copies copies = {})
      : table_(table), mailboxes_(table, copies) {}

  model::TransitionTable& table() { return table_; }
  // From now on a node state is its class, and what is inert is not in flight. Outlives this.
  // REQUIRES: nothing was asked for before.
  void Minimise(const MinimisedNodes& nodes) { minimised_ = &nodes; }
  const Mailboxes& mailboxes() const { return mailboxes_; }

  // REQUIRES: `cut` is valid for the service.
  GlobalState Start(const model::SystemCut& cut);
  // Appends the events enabled at `node`, in a fixed order: deliveries first.
  void Enabled(const GlobalState& state, model::NodeId node, std::vector<model::EventId>& events);
  // Appends all that is enabled, node by node.
  void AllEnabled(const GlobalState& state, std::vector<Move>& moves);
  bool NothingInFlight(const GlobalState& state) const;
  // The state that follows `from` when `event` at `node` turns out as `step`.
  void Apply(const GlobalState& from, model::NodeId node, model::EventId event,
             const model::Step& step, GlobalState& to);
  // The ways `event` can turn out in `state`. REQUIRES: it is enabled there.
  std::span<const model::Step> Successors(model::NodeId node, model::StateId state,
                                          model::EventId event) {
    return minimised_ != nullptr ? minimised_->Successors(node, state, event)
                                 : table_.Successors(node, state, event);
  }
  // The path that leads through `states`; only by what `filter` follows, if there is one.
  // REQUIRES: there is one, and the first of them is the last start.
  model::Path PathThrough(std::span<const GlobalState> states, const MoveFilter* filter = nullptr);
  // The state in full.
  model::SystemCut CutOf(const GlobalState& state) const;
  MailboxId InternMailbox(model::NodeId node, std::vector<model::MessageId> messages) {
    return mailboxes_.Intern(node, std::move(messages));
  }
  // As Mailboxes::TakeCapped.
  bool TakeCapped() { return mailboxes_.TakeCapped(); }

  uint64_t bytes() const { return table_.bytes() + mailboxes_.bytes(); }

 private:
  struct Taken {
    model::NodeId node;
    model::EventId event;
    model::Step step;
  };
  void ApplyWhole(const GlobalState& from, model::NodeId node, model::EventId event,
                  const model::Step& step, GlobalState& to);
  void FollowWhole(const Taken& taken, GlobalState& at, model::Path& path);
  void TakeWhole(model::NodeId node, model::EventId event, model::SendsId sends,
                 model::StateId next, GlobalState& at, model::Path& path);
  void DeliverInert(const GlobalState& last, GlobalState& at, model::Path& path);
  Taken StepBetween(const GlobalState& from, const GlobalState& to, const MoveFilter* filter);
  void Keep(model::NodeId node, GlobalState& state);

  model::TransitionTable& table_;
  Mailboxes mailboxes_;
  std::vector<model::EventId> events_;  // Of AllEnabled.
  const MinimisedNodes* minimised_ = nullptr;
  std::optional<GlobalState> start_;  // As it is, not minimised.
};

}  // namespace foretell::search
