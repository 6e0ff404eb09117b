#include <stdexcept>

#include "foretell/model/plugin.h"
#include "foretell/model/testdata/counter_family.h"

struct ThrowingFamily : foretell::model::CounterFamily {
  ThrowingFamily() { throw std::runtime_error("no license server"); }
};

FORETELL_PLUGIN(ThrowingFamily)
