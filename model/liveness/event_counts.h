#pragma once

// How often events happened in a live run, as nodes count them and as random walks go by them.

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "foretell/model/service.h"

namespace foretell::model {

// By name, from any number of nodes.
using EventCounts = std::map<std::string, uint64_t>;

// The name under which `event` is counted: "deliver Ack", "timer Retransmit", "call Submit"; only
// "deliver" and so on if the service does not name its messages and actions; "restart".
std::string CountedName(const Service& service, const Event& event);

// Adds lines of a name and a number, as nodes answer them; empty lines and "." mean nothing.
// InvalidArgument names the line.
absl::Status ReadEventCounts(const std::string& text, EventCounts& counts);

// The weight of each name: its rate against that of the slowest timer, or of the slowest event if
// no timer fired, from 1 to 64. What never happened has none.
std::map<std::string, uint32_t> MeasuredWeights(const EventCounts& counts);

}  // namespace foretell::model
