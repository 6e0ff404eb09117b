#include "foretell/model/liveness/fairness.h"

#include "foretell/model/check.h"

namespace foretell::model {

const char* FairnessName(Fairness fairness) {
  switch (fairness) {
    case Fairness::kNone: return "none";
    case Fairness::kWeak: return "weak";
    case Fairness::kStrong: return "strong";
    case Fairness::kFairLoss: return "fair-loss";
  }
  FORETELL_CHECK(false);
  return "";
}

const char* FairnessText(Fairness fairness) {
  switch (fairness) {
    case Fairness::kNone: return "";
    case Fairness::kWeak: return "what stays possible happens, and what is in flight arrives";
    case Fairness::kStrong: return "what is possible again and again happens again and again";
    case Fairness::kFairLoss:
      return "what stays possible happens, and what is sent again and again arrives now and then";
  }
  FORETELL_CHECK(false);
  return "";
}

}  // namespace foretell::model
