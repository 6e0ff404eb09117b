#pragma once

// The options of `foretell check`, one row each: help, reading, refusal and the command that finds
// it again follow from the rows.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/predictors/engines.h"

namespace foretell::agent {

struct CheckOption {
  std::string flag;
  std::string metavar;  // Empty: a switch.
  std::string help;     // With words for engines, see HelpOf.
  std::function<absl::Status(const std::string& value, CheckRequest& request)> read;
  std::optional<predictors::EngineOption> kind = {};  // Nothing: every engine takes it.
  bool may_be_empty = true;
  bool finds = true;     // Part of what was found, and so of the command that finds it again.
  bool repeats = false;  // May be given several times: values come with commas between them.
};

const std::vector<CheckOption>& CheckOptions();

bool Takes(const predictors::Engine& engine, const CheckOption& option);
// Names of the engines that take an option, or of the others.
std::vector<std::string> EnginesTaking(const CheckOption& option, bool takes,
                                       const std::vector<predictors::Engine>& engines);

// The help of an option. $TAKERS (or $Takers) and $OTHERS stand for the engines that take it and
// that do not, $DEFAULT for the default engine and $LIST for all of them with their texts.
std::string HelpOf(const CheckOption& option, const std::vector<predictors::Engine>& engines);

}  // namespace foretell::agent
