#pragma once

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::model {

// A cut that was looked at: it can be a state of its service. Made by validation only, so that who
// is given one need not look again. Borrows the cut, which stays as it is for as long. A view of
// the service that differs in invariants or in what is possible takes it as well.
class ValidCut {
 public:
  // As ValidateCut.
  static absl::StatusOr<ValidCut> Make(const Service& service, const SystemCut& cut);
  static absl::StatusOr<ValidCut> Make(const Service& service, SystemCut&& cut) = delete;

  const SystemCut& operator*() const { return *cut_; }
  const SystemCut* operator->() const { return cut_; }

 private:
  explicit ValidCut(const SystemCut& cut) : cut_(&cut) {}

  const SystemCut* cut_;
};

}  // namespace foretell::model
