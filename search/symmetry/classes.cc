#include "foretell/search/symmetry/classes.h"

#include "foretell/model/symmetry/exchange.h"

namespace foretell::search {
namespace {

bool Fixes(model::Exchange nodes, const model::SystemCut& start, const GlobalState& first,
           GlobalSpace& space) {
  const model::Service& service = space.table().service();
  for (const model::FaultKindInfo& fault : model::kFaults) {
    if (service.faults(nodes.a)[fault.kind] != service.faults(nodes.b)[fault.kind]) return false;
  }
  return space.Start(model::Exchanged(service, start, nodes)) == first;
}

}  // namespace

NodeClasses ClassesThatFix(const model::SystemCut& start, GlobalSpace& space) {
  const GlobalState first = space.Start(start);
  return model::DivideClasses(
      space.table().service().Interchangeable(),
      [&](model::Exchange nodes) { return Fixes(nodes, start, first, space); });
}

}  // namespace foretell::search
