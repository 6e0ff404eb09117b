#include "model/plugin.h"
#include "model/testdata/counter_family.h"

FORETELL_PLUGIN(foretell::model::CounterFamily, foretell::model::CounterFamily)
