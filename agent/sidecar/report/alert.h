#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/health/status_page.h"
#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/model/service.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/steering.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// A predicted violation on its way to people: what is predicted, what is done about it, and where
// it can be seen again. The sidecar makes it, the enforcer decides, the reporter tells.
struct Alert {
  predictors::Predicted predicted;
  const model::Imagined* space = nullptr;  // Of the prediction, which outlives the alert.
  predictors::Plan plan;                   // Empty in modes that need none.
  snapshot::Mode mode = snapshot::Mode::kObserve;
  std::string decision;  // Its name in the audit log; empty: nothing is done.
  std::string headline;  // One printable line; the reporter's, as are the two below.
  std::string bundle;    // Path of the file; empty if none was written.
  std::string replay;    // The command that shows the bundle; empty if there is none.
  std::string opinion;   // Of the family's judge; empty if it has none.
  // Of a liveness predicate (its violation has a Death): what has to go wrong on the way into it,
  // and if it is there already, the number of the first cut in which it was.
  size_t faults = 0;
  uint64_t dead_since = 0;
  // What the last step, or since the cut before what has happened, changes at the nodes that break
  // it: "node 2 decided[34]: - -> commit". The reporter's; empty: not known.
  std::vector<std::string> values;
  // Every set of nodes that breaks what has happened: "nodes 1 and 2".
  std::vector<std::string> breakers;
};

// True iff the alert says that a liveness predicate is dead, and not only that it can die.
bool IsDead(const Alert& alert);
// True iff it is there in the cut itself, and nothing need happen for it.
bool HasHappened(const Alert& alert);

// What has to go wrong or to be done for it: what is imagined, and the faults on the path: "node 0
// crashes". Empty if it has happened.
std::string AssumptionOf(const Alert& alert);
// The values in one line; empty if they are not known, or more than a headline can hold.
std::string ValuesOf(const Alert& alert);

// Names the story that the alert belongs to: alerts of successive rounds that are alike in this are
// one, since the same thing can go wrong in the same way, whatever the exact path. What has
// happened is one story per sets of nodes that break it: another set is another violation.
std::string StoryOf(const Alert& alert);

// The headline: what can happen, how far away it is, and if what. Of a death: since when, how it
// was proved, what cures it; or the critical step.
std::string HeadlineOf(const Alert& alert, const model::Service& service, bool exact);

// An alert as it leaves the agent, in four forms. A field of the alert that is to be seen by people
// is in each of them (alert_test.cc).
ViolationEvent ToEvent(const Alert& alert);
// An object in one line. `latency`: since the snapshot was taken.
std::string ToJson(const Alert& alert, const model::Service& service,
                   const snapshot::RecordedSnapshot& snapshot, std::chrono::nanoseconds latency);
snapshot::Bundle ToBundle(const Alert& alert, const snapshot::RecordedSnapshot& snapshot);
StatusPage::Prediction ToPage(const Alert& alert, const snapshot::RecordedSnapshot& snapshot);

}  // namespace foretell::agent
