#pragma once

// The forms of a check's findings beside JSON: one row each, which is also an option of `foretell
// check`.

#include <span>
#include <string>

#include "foretell/agent/formats/findings.h"

namespace foretell::agent {

struct ResultFormat {
  const char* flag;
  const char* metavar;  // "FILE"; empty: a switch, printed behind the verdict.
  const char* help;
  std::string (*write)(const Findings& findings);
};

std::span<const ResultFormat> ResultFormats();

}  // namespace foretell::agent
