#pragma once

#include <string>

#include "foretell/agent/console/console.h"
#include "foretell/agent/doctor/examination.h"

namespace foretell::agent {

// What was found, for people.
std::string DiagnosisText(const Examination& examination, const TerminalStyle& style);

}  // namespace foretell::agent
