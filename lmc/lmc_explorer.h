#pragma once

#include <cstdint>
#include <memory>

#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/search/quotient.h"

namespace foretell::lmc {

// The system states that are created out of node states.
enum class Combine : uint8_t {
  kByProjection,  // Engine `lmc` (LMC-OPT generalised): only those that can break an invariant.
  kAll,           // Engine `lmc-gen`: every combination.
};

// The treatment of a handler that breaks a local assertion in a node state that may be impossible.
enum class Assertions : uint8_t {
  kDiscard,  // Take it as proof that the node state is impossible (section 4.2).
  kVerify,   // Treat it as a preliminary violation: verify soundness, report if real.
};

struct LmcOptions : model::ExploreOptions {
  Combine combine = Combine::kByProjection;
  Assertions assertions = Assertions::kDiscard;
  bool awaited = false;                // As search::SearchOptions has it.
  search::MakeQuotient quotient = {};  // For soundness verification. Empty: none.
};

// The local model checker (Guerraoui and Yabandeh, NSDI 2011). The service outlives the explorer.
std::unique_ptr<model::Explorer> MakeLmcExplorer(const model::Service& service, LmcOptions options);

}  // namespace foretell::lmc
