#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "foretell/model/id.h"

namespace foretell::integration::paxos {

// A set of nodes in one integer: handlers run too often for a container here. It is an enum so
// that it encodes as a number and still has a name for people.
enum class NodeSet : uint32_t {};

inline NodeSet With(NodeSet set, model::NodeId node) {
  return static_cast<NodeSet>(static_cast<uint32_t>(set) | uint32_t{1} << node.value());
}

inline uint32_t CountOf(NodeSet set) {
  return static_cast<uint32_t>(std::popcount(static_cast<uint32_t>(set)));
}

// "{0 2}".
std::string EnumName(NodeSet set);

}  // namespace foretell::integration::paxos
