#include "foretell/model/report.h"

#include "foretell/model/check.h"

namespace foretell::model {

const char* OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNone: return "none";
    case Outcome::kViolation: return "violation";
    case Outcome::kBudget: return "budget";
    case Outcome::kNondeterminism: return "nondeterminism";
  }
  FORETELL_CHECK(false);
  return "";
}

}  // namespace foretell::model
