#pragma once

#include <string>
#include <vector>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/console/console.h"

namespace foretell::agent {

// The end of a check for a person: what was checked, the verdict in a sentence, key figures,
// notes, every violation as a diagram, and the command that finds it again. `pictures` holds one
// entry per violation.
std::string VerdictText(const CheckRecord& record, const std::vector<SpaceTime>& pictures,
                        const CheckRequest& asked, const std::string& command,
                        const TerminalStyle& style);

// The verdict in a sentence, and the key figures in a line.
std::string VerdictSentence(const CheckRecord& record, const CheckRequest& asked);
std::string FiguresText(const CheckRecord& record);
// What was covered. Empty if something was found: the search has ended there, and what it did not
// see says nothing.
std::string CoveredSentence(const CheckRecord& record);

// One violation: headline, diagram, command.
std::string ViolationText(const SpaceTime& picture, const std::string& command,
                          const TerminalStyle& style);

}  // namespace foretell::agent
