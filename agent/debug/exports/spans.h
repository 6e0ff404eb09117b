#pragma once

#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/telemetry/signals/spans.h"

namespace foretell::agent {

// The name that hypothetical spans go by, whatever the service is called: nobody may take them for
// what has happened.
inline constexpr const char* kHypotheticalService = "foretell-hypothetical";

// The first execution as a trace: one span per step, below the step that it follows from: that
// which sent the message, else the last of the same node. Each is marked as hypothetical.
SpanTree HypotheticalSpans(const ExportInput& input);

}  // namespace foretell::agent
