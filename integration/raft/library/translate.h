#pragma once

// From the library's structures to ours, which have no pointers.

#include <optional>

#include "foretell/integration/raft/values/messages.h"

struct raft_entry;
struct raft_message;

namespace foretell::integration::raft {

// The data of a configuration is left out: all have the same.
Entry FromLibrary(const ::raft_entry& entry);
// Nothing for what does not occur here: snapshots, and transfers of leadership.
std::optional<Message> FromLibrary(const ::raft_message& message);

}  // namespace foretell::integration::raft
