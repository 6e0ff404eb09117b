#include "foretell/search/recovery/property_view.h"

#include "foretell/model/check.h"

namespace foretell::search {

std::optional<size_t> PropertyView::Find(const model::Service& service, const std::string& name) {
  const auto infos = service.invariants();
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].eventually && infos[i].name == name) return i;
  }
  return std::nullopt;
}

PropertyView::PropertyView(const model::Service& inner, size_t property)
    : ForwardingService(inner), property_(property), info_(inner.invariants()[property]) {
  FORETELL_CHECK(info_.eventually);
  info_.eventually = false;
  info_.stable = false;
}

}  // namespace foretell::search
