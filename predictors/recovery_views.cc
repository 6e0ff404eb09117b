#include "foretell/predictors/recovery_views.h"

#include <algorithm>

namespace foretell::predictors {

std::vector<std::string> OpenToCalls::Actions(NodeId node, const std::string& state) const {
  std::vector<std::string> actions = inner_.Actions(node, state);
  for (std::string& call : inner_.Calls(node, state)) {
    if (std::find(actions.begin(), actions.end(), call) == actions.end()) {
      actions.push_back(std::move(call));
    }
  }
  return actions;
}

std::vector<std::string> WithoutFaults::Actions(NodeId node, const std::string& state) const {
  std::vector<std::string> actions = inner_.Actions(node, state);
  std::erase_if(actions, [this](const std::string& body) { return inner_.Timing(body).adverse; });
  return actions;
}

}  // namespace foretell::predictors
