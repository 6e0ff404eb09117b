#include "foretell/model/plugin.h"
#include "foretell/model/testdata/counter_family.h"

FORETELL_PLUGIN(foretell::model::CounterFamily(), foretell::model::CounterFamily())
