#pragma once

#include <string>

#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::model {

// The rest of a sentence on a service that answered in two ways.
inline constexpr const char* kSomethingElse =
    "; it depends on something else: a static or shared variable, a clock, a random source, memory "
    "that was never set, or the order of an unordered container";

// An event in words: "deliver Accept(b=1, v=1) from node 0 at node 2".
// REQUIRES: the body of `event` is valid for `service`.
std::string Describe(const Service& service, NodeId node, const Event& event);

}  // namespace foretell::model
