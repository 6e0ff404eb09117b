#include <stdexcept>

#include "model/plugin.h"
#include "model/testdata/counter_family.h"

struct ThrowingFamily : foretell::model::CounterFamily {
  ThrowingFamily() { throw std::runtime_error("no license server"); }
};

FORETELL_PLUGIN(ThrowingFamily)
