#include "foretell/model/plugin.h"

#include "lock_service.h"

FORETELL_PLUGIN(lock::LockFamily)
