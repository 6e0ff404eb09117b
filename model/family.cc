#include "model/family.h"

namespace foretell::model {

SystemCut InitialCut(const Service& service) {
  SystemCut cut;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    cut.nodes.push_back({.body = service.InitialState(NodeId(n))});
  }
  return cut;
}

}  // namespace foretell::model
