#include <ctime>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/model/check.h"
#include "foretell/search/state_search.h"
#include "foretell/search/symmetry/symmetry.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/reductions/sections.h"

namespace foretell::bench {
namespace {

using model::NodeId;
using search::GlobalState;

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Where the transitions from the first `states_max` states of the quotient lead to.
std::vector<GlobalState> Successors(search::GlobalSpace& space, search::Quotient& quotient,
                                    const GlobalState& start, uint32_t states_max) {
  model::InvariantTable invariants(space.table());
  const search::SearchOptions options;
  search::StateSearch search(space, invariants, options, nullptr, nullptr, &quotient);
  model::Budget budget({.steps_max = UINT64_MAX}, [] { return model::Budget::Time{}; });
  search.Begin(start);
  search.Grow(states_max, budget);
  std::vector<GlobalState> successors;
  std::vector<model::EventId> events;
  GlobalState from = search.MakeState();
  for (uint32_t i = 0; i < search.expanded_count(); ++i) {
    search.store().Load(i, from.fields());
    for (uint32_t n = 0; n < from.node_count(); ++n) {
      events.clear();
      space.Enabled(from, NodeId(n), events);
      for (const model::EventId event : events) {
        for (const auto& step : space.table().Successors(NodeId(n), from.state(NodeId(n)), event)) {
          space.Apply(from, NodeId(n), event, step, successors.emplace_back(from.node_count()));
        }
      }
    }
  }
  return successors;
}

void AddRow(const char* name, const model::ServiceFamily& family, const char* scenario,
            Table& table) {
  constexpr uint32_t kStatesMax = 20'000;
  const model::System system = *family.Make(scenario, "");
  model::TransitionTable transitions(*system.service);
  model::InvariantTable invariants(transitions);
  search::GlobalSpace space(transitions);
  std::vector<std::string> notes;
  const auto quotient = search::MakeSymmetry(space, invariants, system.start, notes);
  FORETELL_CHECK(quotient != nullptr);
  std::vector<GlobalState> states =
      Successors(space, *quotient, space.Start(system.start), kStatesMax);
  // All images are known by now, as in the long run of a search.
  const double begin = ProcessorSeconds();
  for (GlobalState& state : states) quotient->Represent(state);
  const double each = (ProcessorSeconds() - begin) / static_cast<double>(states.size());
  table.Add({name, Count(quotient->images_max()), Count(states.size()),
             absl::StrCat(static_cast<uint64_t>(1e9 * each), " ns")});
}

}  // namespace

void PrintCanonical(std::ostream& out) {
  out << "Finding the state that stands for another, in processor time per transition.\n\n";
  Table table;
  table.Add({"protocol", "permutations", "transitions", "each"});
  AddRow("Paxos (6)", integration::synod::Family(), "paxos-6", table);
  AddRow("Register (5)", integration::registers::Family(), "register-5", table);
  AddRow("Register (6)", integration::registers::Family(), "register-6", table);
  AddRow("Register (7)", integration::registers::Family(), "register-7", table);
  out << table.Text(1);
}

}  // namespace foretell::bench
