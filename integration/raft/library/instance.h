#pragma once

// One real `struct raft`, built from a State, stepped by events, and read back as a State.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/integration/raft/values/messages.h"
#include "foretell/integration/raft/values/state.h"
#include "foretell/model/id.h"

namespace foretell::integration::raft {

struct Settings {
  uint32_t node_count = 3;
  bool pre_vote = false;
  // A wrapper around the library takes the known cause of violations away: a node tells a leader
  // only of entries that this leader's own message has verified.
  bool verified_tail = false;
};

// Facts about the library that this process is linked with: its settings, the bytes of the
// configuration that all logs begin with, and the callbacks of its pending appends. Never changes;
// may be shared by threads.
class Library {
 public:
  // Fails if the library's private structures are not those that we know.
  static absl::StatusOr<std::shared_ptr<const Library>> Load(const Settings& settings);

  const Settings& settings() const { return settings_; }
  const std::string& configuration() const { return configuration_; }
  std::string address(model::NodeId node) const { return std::to_string(node.value() + 1); }

 private:
  friend class Instance;
  using Callback = void (*)();  // Cast where raft.h is known.
  explicit Library(const Settings& settings);

  Settings settings_;
  std::string configuration_;
  Callback leader_appended_ = nullptr;
  Callback follower_appended_ = nullptr;
};

// The effects of one event, besides a new state.
struct Effects {
  // Asked for each synchronous write of the disk; empty: none fails.
  std::function<bool()> disk_fails;

  std::vector<std::pair<model::NodeId, Message>> sends;
  bool election_timer_restarted = false;
  // The library did what its own assertions, compiled out in Debian's build, forbid, or was about
  // to; empty if all is well. The state then means nothing.
  std::string failure;
};

class Instance {
 public:
  enum class Memory : uint8_t {
    kArena,  // Short-lived: uses this thread's arena if it is free. Stays on this thread.
    kHeap,
  };
  // REQUIRES: Valid(state, node_count). The library is not touched before the first event.
  Instance(std::shared_ptr<const Library> library, model::NodeId self, State state, Memory memory);
  ~Instance();
  Instance(Instance&&) noexcept;
  Instance& operator=(Instance&&) noexcept;

  const State& state() const;
  Budget& budget();

  // Starts from what the disk holds: of the pending operations, the first `written` reached it.
  void Start(size_t written, Effects& effects);
  void Deliver(model::NodeId from, const Message& message, Effects& effects);
  void TimeOut(Effects& effects);                            // Follower or candidate.
  void SendHeartbeats(Effects& effects);                     // Leader.
  void CheckContacts(Effects& effects);                      // Leader.
  void Apply(const std::string& command, Effects& effects);  // Leader.
  // The oldest pending operation succeeds or fails. REQUIRES: there is one; `done`: CanComplete.
  void FinishWrite(bool done, Effects& effects);

 private:
  friend class Library;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace foretell::integration::raft
