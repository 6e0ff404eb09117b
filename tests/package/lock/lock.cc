#include "lock.h"

FORETELL_PLUGIN(LockFamily())
