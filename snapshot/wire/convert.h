#pragma once

// Between our values and the schema's. Only .cc files of this folder may include this: it brings
// in the generated header, which nobody else is to see.

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell.capnp.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/snapshot/node/agent.h"
#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/node/guard.h"
#include "foretell/snapshot/node/info.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// No system that we can check has as many nodes; what names a higher one is not ours.
inline constexpr uint32_t kNodesMax = 1 << 16;
// The longest lease: anything that is to last longer is none.
inline constexpr std::chrono::hours kLeaseMax{24};
// Messages in flight, or kept by a node. A list of nothing is short in a message, however many
// elements it has, and long in memory.
inline constexpr uint32_t kMessagesMax = 1 << 20;

// Runs `read`, which reads a message that others wrote. Malformed pointers and spent traversal
// limits, on which Cap'n Proto throws, become InvalidArgument.
absl::Status GuardRead(const std::function<absl::Status()>& read);

// Writes into a fresh message.
void Put(const model::NodeState& from, wire::NodeState::Builder to);
void Put(const model::SystemCut& from, wire::Cut::Builder to);
void Put(const model::Event& from, wire::Event::Builder to);
void Put(const model::PathStep& from, wire::PathStep::Builder to);
void Put(const Checkpoint& from, wire::Checkpoint::Builder to);
void Put(const Filter& from, wire::Filter::Builder to);
void Put(const NodeInfo& from, wire::NodeInfo::Builder to);
void Put(const AgentIdentity& from, wire::AgentIdentity::Builder to);
void Put(const NodeCounters& from, wire::NodeCounters::Builder to);
void Put(const SafetyCut& from, wire::SafetyCut::Builder to);
void Put(const GuardTerms& from, wire::GuardTerms::Builder to);
void Put(const GuardJoined& from, wire::GuardJoined::Builder to);
void Put(const GuardStep& from, wire::GuardStep::Builder to);

// Replaces `to`. Nothing is believed: an enumerator that we do not know or a number that cannot be
// is InvalidArgument, which names the value; so is a malformed message. `to` is then unspecified.
// Nothing is thrown. Whether the bytes of states and messages mean anything is up to the service.
absl::Status Get(wire::NodeState::Reader from, model::NodeState& to);
absl::Status Get(wire::Cut::Reader from, model::SystemCut& to);
absl::Status Get(wire::Event::Reader from, model::Event& to);
absl::Status Get(wire::PathStep::Reader from, model::PathStep& to);
absl::Status Get(wire::Checkpoint::Reader from, Checkpoint& to);
absl::Status Get(wire::Filter::Reader from, Filter& to);
// Also if there are more than a node takes.
absl::Status Get(capnp::List<wire::Filter>::Reader from, std::vector<Filter>& to);
absl::Status Get(wire::NodeInfo::Reader from, NodeInfo& to);
absl::Status Get(wire::AgentIdentity::Reader from, AgentIdentity& to);
absl::Status Get(wire::NodeCounters::Reader from, NodeCounters& to);
absl::Status Get(wire::SafetyCut::Reader from, SafetyCut& to);
absl::Status Get(wire::GuardTerms::Reader from, GuardTerms& to);
absl::Status Get(wire::GuardJoined::Reader from, GuardJoined& to);
absl::Status Get(wire::GuardStep::Reader from, GuardStep& to);

// `what` is the word for the number in the complaint.
absl::Status GetNode(uint32_t from, const char* what, model::NodeId& to);

}  // namespace foretell::snapshot
