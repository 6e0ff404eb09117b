#pragma once

#include <string>

#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/debug/session.h"

namespace foretell::agent {

// The format that is sent unless a file is named.
inline constexpr const char* kSentFormat = "otlp";

// "paxos, scenario fresh, execution branch-1".
std::string TitleOf(const Session& session);

// The executions of a session, that where we are first. Time begins when the start was recorded,
// else with the Unix epoch: the same session gives the same bytes.
ExportInput ExportOf(const Session& session);

}  // namespace foretell::agent
