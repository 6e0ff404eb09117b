#pragma once

// The primer of the LMC paper (section 2, figures 2 to 4): node 0 sends a message down a tree of
// five nodes; only node 4, for which it is meant, takes note of it.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::examples {

enum class Mark : uint8_t { kNone, kSent, kReceived };

// As in the figures: "-", "s", "r".
const char* EnumName(Mark mark);

struct TreeProtocol {
  struct State {
    Mark mark = Mark::kNone;
    FORETELL_FIELDS(mark)
  };
  struct Forward {};
  struct Initiate {};
  using Message = Forward;
  using Action = Initiate;

  uint32_t node_count() const { return 5; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;
};

std::unique_ptr<model::ServiceFamily> MakeTreeFamily();

}  // namespace foretell::integration::examples
