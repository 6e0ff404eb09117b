#pragma once

// Log shipping over streams: node 0 appends to its log and sends each entry to two backups, which
// append what they receive. A stream that breaks loses what is in flight; the backup then says from
// where on it needs the log again.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::examples {

struct ShippingProtocol {
  // Primary to backup.
  struct Entry {
    uint32_t index = 0;
    uint32_t value = 0;
    FORETELL_FIELDS(index, value)
  };
  // Primary to backup: what do you have?
  struct Ask {};
  // Backup to primary: the log is needed from here on.
  struct Resume {
    uint32_t next = 0;
    FORETELL_FIELDS(next)
  };
  struct Append {};
  struct State {
    uint32_t appends_left = 0;  // That a checker may imagine at the primary.
    std::vector<uint32_t> log;  // Survives a crash.
    FORETELL_FIELDS(appends_left, log)
  };
  using Message = std::variant<Entry, Ask, Resume>;
  using Action = Append;

  bool blind = false;  // The bug: a backup appends whatever arrives.
  uint32_t appends_max = 0;
  uint8_t breaks_max = 0;  // At each backup.

  uint32_t node_count() const { return 3; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  model::FaultBudget faults(model::NodeId node) const;
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  void OnRestart(State& state, model::Context<Message>& context) const;
  void OnBreak(State& state, model::NodeId peer, model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;
  std::vector<Action> Calls(model::NodeId node, const State& state) const;
  std::vector<Imagined> Imagine(const Cut& live) const;
};

std::unique_ptr<model::ServiceFamily> MakeShippingFamily();

}  // namespace foretell::integration::examples
