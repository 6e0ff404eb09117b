#pragma once

#include <string>

#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::model {

// An event in words: "deliver Accept(b=1, v=1) from node 0 at node 2".
// REQUIRES: the body of `event` is valid for `service`.
std::string Describe(const Service& service, NodeId node, const Event& event);

}  // namespace foretell::model
