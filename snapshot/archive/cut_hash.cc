#include "foretell/snapshot/archive/cut_hash.h"

#include "foretell/model/hash.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {

uint64_t CutHash(const model::SystemCut& cut) {
  const auto message = ToMessage<wire::Cut>(cut);
  return message.ok() ? model::HashBytes(*message) : 0;
}

}  // namespace foretell::snapshot
