#include <stdexcept>

#include "foretell/model/plugin.h"
#include "foretell/model/testdata/counter_family.h"

foretell::model::Family<foretell::model::Counter> WithoutLicense() {
  throw std::runtime_error("no license server");
}

FORETELL_PLUGIN(WithoutLicense())
