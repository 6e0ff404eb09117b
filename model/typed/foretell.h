#pragma once

// All that it takes to write a service. Installed as foretell/service.h:
//
//   #include "foretell/service.h"
//
//   struct Counter {
//     struct State { uint32_t count = 0; FORETELL_FIELDS(count) };
//     struct Tick {};
//     using Action = Tick;
//     bool Can(foretell::NodeId, const State& state, Tick) const { return state.count < 2; }
//     void OnAction(State& state, Tick, foretell::Context<>&) const { ++state.count; }
//     ...
//   };
//   FORETELL_SERVICE(Counter)
//
// The hooks of a protocol are listed in model/typed/service.h.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/plugin.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/family.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell {

using model::ActionTiming;
using model::Auxiliary;
using model::Context;
using model::FaultBudget;
using model::Network;
using model::NetworkKind;
using model::NodeId;
using model::None;

using model::Agreement;
using model::Always;
using model::AtMostOne;
using model::Eventually;
using model::Never;
using model::NodeInvariant;
using model::PairInvariant;
using model::Reaches;
using model::Stable;
using model::SystemInvariant;
using model::WhenStuck;

template <class State>
using Invariants = std::vector<model::TypedInvariant<State>>;
template <class Protocol>
using Family = model::Family<Protocol>;

using model::Act;
using model::Deliver;
using model::LoseAll;

}  // namespace foretell

// A plug-in with one service, which is called like its protocol, starts from its initial states and
// has no bugs to plant.
#define FORETELL_SERVICE(Protocol) FORETELL_PLUGIN(::foretell::Family<Protocol>())
