#include "foretell/integration/catalog.h"

#include <memory>

#include "foretell/integration/chord/family.h"
#include "foretell/integration/examples/accumulator.h"
#include "foretell/integration/examples/shipping.h"
#include "foretell/integration/examples/threads.h"
#include "foretell/integration/examples/tree.h"
#include "foretell/integration/onepaxos/family.h"
#include "foretell/integration/pam/family.h"
#include "foretell/integration/pastry/family.h"
#include "foretell/integration/paxos/family.h"
#include "foretell/integration/philosophers/family.h"
#include "foretell/integration/processes/families.h"
#include "foretell/integration/raft/family.h"
#include "foretell/integration/randtree/family.h"
#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/integration/zab/family.h"

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
  catalog.push_back(std::make_unique<transport::Family>());
  catalog.push_back(std::make_unique<randtree::Family>());
  catalog.push_back(std::make_unique<synod::Family>());
  catalog.push_back(std::make_unique<registers::Family>());
  catalog.push_back(std::make_unique<zab::Family>());
  catalog.push_back(examples::MakeTreeFamily());
  catalog.push_back(examples::MakeAccumulatorFamily());
  catalog.push_back(examples::MakeShippingFamily());
  catalog.push_back(examples::MakeThreadsFamily());
  processes::AddFamilies(catalog);
  return catalog;
}

}  // namespace foretell::integration
