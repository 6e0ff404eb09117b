#include "lock.h"

FORETELL_PLUGIN(kLock)
