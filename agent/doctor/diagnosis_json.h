#pragma once

#include <string>

#include "foretell/agent/doctor/examination.h"

namespace foretell::agent {

// What was found, for scripts (docs/json.md).
std::string DiagnosisJson(const Examination& examination);

}  // namespace foretell::agent
