#include "foretell/tests/scenarios/stage.h"

#include "foretell/agent/testing/toy_protocol.h"
#include "foretell/integration/catalog.h"
#include "foretell/predictors/engines.h"

namespace foretell::scenarios {

Stage::Stage()
    : parts{integration::BuiltinServices(), predictors::AllEngines()},
      before_(std::filesystem::current_path()) {
  parts.catalog.push_back(std::make_unique<agent::ToyFamily>());
  std::filesystem::current_path(folder_.path());
}

Stage::~Stage() { std::filesystem::current_path(before_); }

}  // namespace foretell::scenarios
