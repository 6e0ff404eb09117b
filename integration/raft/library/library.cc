// What has to be known of the library before nodes can be built: learnt by using it.

#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/library/instance.h"
#include "foretell/integration/raft/library/instance_impl.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {
namespace {

std::string EncodeConfiguration(uint32_t node_count, const Library& library) {
  raft_configuration configuration;
  raft_configuration_init(&configuration);
  for (uint32_t n = 0; n < node_count; ++n) {
    const model::NodeId node(n);
    FORETELL_CHECK(raft_configuration_add(&configuration, IdOf(node), library.address(node).c_str(),
                                          RAFT_VOTER) == 0);
  }
  raft_buffer encoded;
  FORETELL_CHECK(raft_configuration_encode(&configuration, &encoded) == 0);
  std::string bytes(static_cast<const char*>(encoded.base), encoded.len);
  raft_free(encoded.base);
  raft_configuration_close(&configuration);
  return bytes;
}

// A node of the second term, where node 0 leads.
State Example(Role role, uint32_t node_count) {
  State state = Boot({});
  state.role = role;
  state.term = 2;
  state.stored = state.commit = state.applied = 1;
  state.machine.shared = 1;
  if (role == Role::kLeader) {
    state.led = 2;
    state.progress.assign(node_count, {.next = 2, .match = 0});
  }
  return state;
}

}  // namespace

Library::Library(const Settings& settings)
    : settings_(settings), configuration_(EncodeConfiguration(settings.node_count, *this)) {}

absl::StatusOr<std::shared_ptr<const Library>> Library::Load(const Settings& settings) {
  InstallHeap();
  // Not make_shared: the constructor is private.
  std::shared_ptr<Library> library(new Library(settings));
  const model::NodeId leader_id(0);
  const model::NodeId follower_id(1);
  Instance leader(library, leader_id, Example(Role::kLeader, settings.node_count),
                  Instance::Memory::kHeap);
  Instance follower(library, follower_id, Example(Role::kFollower, settings.node_count),
                    Instance::Memory::kHeap);
  Effects effects;
  leader.Apply("put x 1", effects);
  follower.Deliver(leader_id,
                   AppendEntries{.term = 2,
                                 .prev_log_index = 1,
                                 .prev_log_term = 1,
                                 .leader_commit = 1,
                                 .entries = {{2, EntryType::kCommand, "put x 1"}}},
                   effects);
  library->leader_appended_ = leader.impl_->appended[0];
  library->follower_appended_ = follower.impl_->appended[1];
  if (effects.failure.empty() &&
      (library->leader_appended_ == nullptr || library->follower_appended_ == nullptr)) {
    effects.failure = "it did not write where it should have";
  }
  if (!effects.failure.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("this libraft is not the one that we know, 0.15.0: ", effects.failure));
  }
  return library;
}

}  // namespace foretell::integration::raft
