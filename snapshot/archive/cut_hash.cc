#include "snapshot/archive/cut_hash.h"

#include "snapshot/storage/compress.h"
#include "snapshot/wire/message.h"

namespace foretell::snapshot {

uint64_t CutHash(const model::SystemCut& cut) {
  const auto message = ToMessage<wire::Cut>(cut);
  return message.ok() ? Hash(*message) : 0;
}

}  // namespace foretell::snapshot
