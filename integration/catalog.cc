#include "integration/catalog.h"

#include <memory>

#include "integration/onepaxos/family.h"
#include "integration/paxos/family.h"

namespace foretell::integration {

model::Catalog BuiltinServices() {
  model::Catalog catalog;
  catalog.push_back(std::make_unique<paxos::Family>());
  catalog.push_back(std::make_unique<onepaxos::Family>());
  return catalog;
}

}  // namespace foretell::integration
