#include "foretell/model/plugin.h"
#include "foretell/model/testdata/counter_family.h"

FORETELL_PLUGIN(foretell::model::Family<foretell::model::Counter>(
    {.name = "counter", .text = "Says its version.", .version = "first"}))
