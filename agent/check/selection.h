#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

// The catalog and the engines: main() builds them, every command works with them.
struct Parts {
  model::Catalog catalog;
  std::vector<predictors::Engine> engines;
};

// Of that name. InvalidArgument, with the nearest name, if there is none.
absl::StatusOr<const model::ServiceFamily*> SelectFamily(const model::Catalog& catalog,
                                                         const std::string& service);

// The system that a user asked to check, made.
struct Selection {
  std::string service;
  std::string scenario;
  std::string bug;  // Empty: none.
  model::System system;
  const model::ServiceFamily* family = nullptr;  // Of the catalog.
};

// `scenario` may have settings (model/scenario.h); without a name it is the default one.
// InvalidArgument, with the nearest name, for names that do not exist.
absl::StatusOr<Selection> Select(const model::Catalog& catalog, const std::string& service,
                                 const std::string& scenario, const std::string& bug);

// An empty name means the default engine. The result points into `engines`.
absl::StatusOr<const predictors::Engine*> SelectEngine(
    const std::vector<predictors::Engine>& engines, const std::string& name);

}  // namespace foretell::agent
