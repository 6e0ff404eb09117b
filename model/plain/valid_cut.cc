#include "foretell/model/plain/valid_cut.h"

#include "foretell/model/plain/plain_system.h"

namespace foretell::model {

absl::StatusOr<ValidCut> ValidCut::Make(const Service& service, const SystemCut& cut) {
  if (absl::Status status = ValidateCut(service, cut); !status.ok()) return status;
  return ValidCut(cut);
}

}  // namespace foretell::model
