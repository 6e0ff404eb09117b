#include "foretell/model/scope.h"

#include "foretell/model/service.h"

namespace foretell::model {

const char* ScopeName(Scope scope) {
  switch (scope) {
    case Scope::kNode: return "node";
    case Scope::kPair: return "pair";
    case Scope::kSystem: return "system";
  }
  FORETELL_CHECK(false);
  return "";
}

std::vector<uint32_t> FirstBroken(const Service& service, size_t invariant,
                                  std::span<const std::optional<std::string>> keys,
                                  std::optional<uint32_t> with) {
  return FirstBroken<std::string>(
      service.invariants()[invariant].scope, keys,
      [&](std::span<const std::optional<std::string>> of_set) {
        return service.Violates(invariant, of_set);
      },
      with);
}

}  // namespace foretell::model
