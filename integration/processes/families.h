#pragma once

#include "foretell/model/family.h"

namespace foretell::integration::processes {

// `foretell check flawed-order`, `flawed-reduce`, `mailbox-server`, `reduce`, `ring`,
// `master-worker`, `halo`, `semaphores`, `barrier`.
void AddFamilies(model::Catalog& catalog);

}  // namespace foretell::integration::processes
