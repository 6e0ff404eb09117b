#include "integration/catalog.h"

#include <memory>

#include "integration/chord/family.h"
#include "integration/examples/accumulator.h"
#include "integration/examples/shipping.h"
#include "integration/examples/threads.h"
#include "integration/examples/tree.h"
#include "integration/onepaxos/family.h"
#include "integration/pam/family.h"
#include "integration/pastry/family.h"
#include "integration/paxos/family.h"
#include "integration/philosophers/family.h"
#include "integration/raft/family.h"

namespace foretell::integration {

model::Catalog BuiltinServices() {
  model::Catalog catalog;
  catalog.push_back(std::make_unique<paxos::Family>());
  catalog.push_back(std::make_unique<onepaxos::Family>());
  catalog.push_back(std::make_unique<raft::Family>());
  catalog.push_back(std::make_unique<pam::Family>());
  catalog.push_back(std::make_unique<chord::Family>());
  catalog.push_back(std::make_unique<pastry::Family>());
  catalog.push_back(std::make_unique<philosophers::Family>());
  catalog.push_back(examples::MakeTreeFamily());
  catalog.push_back(examples::MakeAccumulatorFamily());
  catalog.push_back(examples::MakeShippingFamily());
  catalog.push_back(examples::MakeThreadsFamily());
  return catalog;
}

}  // namespace foretell::integration
