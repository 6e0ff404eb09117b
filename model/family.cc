#include "foretell/model/family.h"

namespace foretell::model {

SystemCut InitialCut(const Service& service) {
  SystemCut cut;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    cut.nodes.push_back({.body = service.InitialState(NodeId(n))});
  }
  return cut;
}

const ServiceFamily* FindFamily(const Catalog& catalog, const std::string& name) {
  for (const auto& family : catalog) {
    if (family->name() == name) return family.get();
  }
  return nullptr;
}

}  // namespace foretell::model
