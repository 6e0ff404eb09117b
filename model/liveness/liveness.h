#pragma once

// What is known about a liveness predicate after a search: the verdict and, of a state from which
// the predicate can never hold again, all that a person needs to understand it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/liveness/fairness.h"

namespace foretell::model {

enum class LivenessVerdict : uint8_t {
  kLive,       // Complete: wherever the system gets, the predicate can still come to hold.
  kDead,       // Proved: a state can be reached from which it cannot.
  kStartDead,  // Proved of the start itself.
  kSuspected,  // Walks found no way, and there is no proof. Not a violation.
  kFairCycle,  // Under the fairness that was asked for, it can stay away for ever.
  kUndecided,  // A bound ended the search first.
};
// "live", "dead", "start-dead", "suspected", "fair-cycle", "undecided".
const char* VerdictName(LivenessVerdict verdict);
constexpr bool IsViolation(LivenessVerdict verdict) {
  return verdict == LivenessVerdict::kDead || verdict == LivenessVerdict::kStartDead ||
         verdict == LivenessVerdict::kFairCycle;
}

// Why a state is believed to be dead.
struct DeathProof {
  enum class How : uint8_t {
    kClosed,   // All that can follow was visited.
    kLocal,    // No combination of what the nodes can do on their own satisfies the predicate.
    kCovered,  // As kClosed, for any number of copies of each message.
    kCycle,    // It is not dead; steps that can be repeated for ever stay away from the predicate.
  };
  How how = How::kClosed;
  uint64_t states = 0;   // In the region that was closed; node states for kLocal, steps for kCycle.
  bool checked = false;  // Again, by code that shares nothing with the engine.
};
// "closed", "local", "covered", "cycle".
const char* ProofName(DeathProof::How how);

// One event more, which nobody may count on, and what becomes of a dead state then.
struct Cure {
  enum class Effect : uint8_t {
    kNone,     // It is as dead as before, which is proved.
    kHelps,    // There is a way to where the predicate holds, which replays.
    kUnknown,  // Nobody could tell within the limits.
  };
  PathStep step;     // kCrash stands for a crash and a restart.
  std::string text;  // "restart node 2".
  Effect effect = Effect::kUnknown;
  size_t steps = 0;  // kHelps: from the dead state to where the predicate holds.

  bool helps() const { return effect == Effect::kHelps; }
};
// "restart node 2: helps, live after 8 steps", "...: does not help", "...: not known to help".
std::string CureText(const Cure& cure);

// Transitions into death that are alike: the same kind of event at the same node.
struct CriticalKind {
  NodeId node;
  std::string event;  // "deliver JoinReply", "action GiveUp", "crash".
  uint64_t transitions = 0;
  Path path;  // A shortest one that ends with such a transition.
};

// A way into a dead state, beside the path of its Violation.
struct Death {
  // Along the path, from 1; 0: the start is dead, or is once messages in flight are lost.
  size_t critical_step = 0;
  bool by_loss = false;  // Only if messages in flight are lost.
  std::vector<Message> lost;
  // From the start: the same steps up to the critical one, then a way to live. Where it takes a
  // loss, which comes after the critical step, that step is the same, too.
  Path twin;
  std::vector<Cure> cures;
  std::vector<CriticalKind> kinds;
  DeathProof proof;
  std::vector<std::string> blame;  // Of a dead start: what never changes.
  // kFairCycle: the path from this step on, counted from 1, can go on for ever. 0: it is a death.
  size_t cycle_from = 0;
};

// True iff the start itself is dead, whatever is lost.
constexpr bool IsOfStart(const Death& death) {
  return death.critical_step == 0 && !death.by_loss && death.cycle_from == 0;
}
// The number of steps that the path and its twin have in common.
constexpr size_t SharedSteps(const Death& death) {
  return death.by_loss || death.critical_step == 0 ? death.critical_step : death.critical_step - 1;
}

// Between which steps of a path the critical transition lies: after `alive` steps it was not too
// late, after `dead` it is, or nobody found a way.
struct CriticalInterval {
  size_t alive = 0;
  size_t dead = 0;
};
// MaceMC's conditions: "C1" if the interval is a single step, else "C2".
constexpr const char* ConditionName(const CriticalInterval& interval) {
  return interval.dead == interval.alive + 1 ? "C1" : "C2";
}

// What became clear about a recorded cut.
enum class CutFate : uint8_t {
  kLive,       // The predicate holds there.
  kRecovers,   // It does not, and there is a way.
  kDead,       // Proved: there is none.
  kUndecided,  // Nobody could tell, or something of the cut is not known.
};
// "live", "recovers", "dead", "undecided".
const char* FateName(CutFate fate);

// Where a liveness predicate was asked for.
struct Liveness {
  std::string property;
  Fairness fairness = Fairness::kNone;  // What was assumed.
  LivenessVerdict verdict = LivenessVerdict::kUndecided;
  std::string text;     // One line: what the verdict rests on.
  uint64_t judged = 0;  // States whose fate is known ...
  uint64_t dead = 0;    // ... and those of them that are dead.
  // Where on the path of the violation, or on the way to a suspected state, the critical transition
  // is. Nothing if there is no such path, or its start is dead.
  std::optional<CriticalInterval> interval;
  // Of recorded cuts, the oldest first; empty if the question was about one start.
  std::vector<CutFate> cuts;
  size_t from = 0;  // Of these, the one that the path of the violation starts from.
};

}  // namespace foretell::model
