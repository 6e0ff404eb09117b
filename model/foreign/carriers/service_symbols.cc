#include "foretell/model/foreign/carriers/service_symbols.h"

#include <dlfcn.h>

#include "foretell/model/plugin.h"

namespace foretell::model::foreign {

absl::StatusOr<ServiceSymbols> FindService(const std::string& path) {
  const absl::StatusOr<void*> library = OpenLibrary(path);
  if (!library.ok()) return library.status();
  ServiceSymbols symbols;
  symbols.abi = reinterpret_cast<uint32_t (*)()>(dlsym(*library, "foretell_service_abi"));
  symbols.call =
      reinterpret_cast<LibraryCarrier::Function>(dlsym(*library, "foretell_service_call"));
  return symbols;
}

}  // namespace foretell::model::foreign
