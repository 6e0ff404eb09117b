#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/foreign/carriers/library_carrier.h"

namespace foretell::model::foreign {

// The functions of foretell_service.h in a library; null where it has none.
struct ServiceSymbols {
  uint32_t (*abi)() = nullptr;
  LibraryCarrier::Function call = nullptr;
};

// Loads the library at `path` for good. Fails as OpenLibrary (model/plugin.h).
absl::StatusOr<ServiceSymbols> FindService(const std::string& path);

}  // namespace foretell::model::foreign
