#pragma once

// What a report says about a liveness predicate, in words.

#include <string>
#include <vector>

#include "foretell/agent/check/check_record.h"

namespace foretell::agent {

// The verdict in one sentence. REQUIRES: the record has one.
std::string LivenessSentence(const CheckRecord& record);

// What became clear about the recorded cuts; empty if none were judged.
std::string CutsSentence(const CheckRecord& record);

// What there is to know about a death: the critical step, what could have happened instead, what
// would help, what else is critical; or about a cycle. REQUIRES: the violation is one.
std::vector<std::string> DeathLines(const CheckRecord& record, size_t violation);

}  // namespace foretell::agent
