#pragma once

// The defaults of services that say nothing of their own about being live.

#include <memory>
#include <string>
#include <vector>

#include "foretell/model/service.h"

namespace foretell::model {

// The elements of `actions` that come from the application.
std::vector<std::string> OnlyCalls(const Service& service, std::vector<std::string> actions);

// A live node on top of Service::Run: decodes and encodes its whole state for each event.
std::unique_ptr<LiveNode> MakeEncodedNode(const Service& service, NodeId node, std::string state);

}  // namespace foretell::model
