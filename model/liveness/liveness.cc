#include "foretell/model/liveness/liveness.h"

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::model {

const char* VerdictName(LivenessVerdict verdict) {
  switch (verdict) {
    case LivenessVerdict::kLive: return "live";
    case LivenessVerdict::kDead: return "dead";
    case LivenessVerdict::kStartDead: return "start-dead";
    case LivenessVerdict::kSuspected: return "suspected";
    case LivenessVerdict::kFairCycle: return "fair-cycle";
    case LivenessVerdict::kUndecided: return "undecided";
  }
  FORETELL_CHECK(false);
  return "";
}

const char* ProofName(DeathProof::How how) {
  switch (how) {
    case DeathProof::How::kClosed: return "closed";
    case DeathProof::How::kLocal: return "local";
    case DeathProof::How::kCovered: return "covered";
    case DeathProof::How::kCycle: return "cycle";
  }
  FORETELL_CHECK(false);
  return "";
}

std::string CureText(const Cure& cure) {
  switch (cure.effect) {
    case Cure::Effect::kNone: return cure.text + ": does not help";
    case Cure::Effect::kUnknown: return cure.text + ": not known to help";
    case Cure::Effect::kHelps: break;
  }
  return absl::StrCat(cure.text, ": helps, live after ", cure.steps,
                      cure.steps == 1 ? " step" : " steps");
}

const char* FateName(CutFate fate) {
  switch (fate) {
    case CutFate::kLive: return "live";
    case CutFate::kRecovers: return "recovers";
    case CutFate::kDead: return "dead";
    case CutFate::kUndecided: return "undecided";
  }
  FORETELL_CHECK(false);
  return "";
}

}  // namespace foretell::model
