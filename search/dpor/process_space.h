#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/event.h"
#include "foretell/model/process/protocol.h"
#include "foretell/search/dpor/relation.h"

namespace foretell::search {

// A global state by id: a state for each process and, last, one for the mailboxes. Whatever needs
// no decision has happened: processes have begun, answers have arrived, waiting is known.
using ProcessIds = std::vector<uint32_t>;

// The semantics of a program of processes on ids: its atomic steps, each of which is one primitive
// and, in the service, a few events. Nothing is ever disabled: only its own process ends a step.
class ProcessSpace {
 public:
  // REQUIRES: the service is a program (model::process::IsProgram).
  explicit ProcessSpace(model::TransitionTable& table);

  uint32_t process_count() const { return processes_; }

  // One of the events that make a step in the service.
  struct Part {
    model::NodeId node;
    model::EventId event;
    model::Step step;
  };
  // A way for a process to go on.
  struct Step {
    uint32_t key = 0;  // Tells the ways of one process apart, also in other states.
    // A Wait, which only what it waits for can end; without that it is no other step.
    bool blocks = false;
    uint32_t process = 0;  // The process's next state ...
    uint32_t office = 0;   // ... and the mailboxes'.
    bool fails = false;    // The process breaks.
    Touched touched;
    std::vector<Part> parts;
  };

  // `parts` leads from `cut` to the result. REQUIRES: `cut` is valid for the service.
  ProcessIds Start(const model::SystemCut& cut, std::vector<Part>& parts);
  // The ways for `process` to go on; none if it waits or has ended. In a fixed order.
  std::span<const Step> Steps(const ProcessIds& state, uint32_t process);
  // True once there was a step that does not block and can come to several things: a receive from
  // several mailboxes, a Test of several posts.
  bool open_outcomes() const { return open_outcomes_; }
  // The post that Touched knows by `number`.
  const model::process::Post& PostOf(uint32_t number) const { return post_of_[number]; }
  model::Path PathOf(std::span<const Part> parts) const;
  uint64_t bytes() const { return bytes_; }

 private:
  struct Key {
    uint32_t process;
    uint32_t state;
    uint32_t office;
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.process, key.state, key.office);
    }
  };
  // What a process asks for, in one of its states.
  struct Asked {
    bool known = false;
    bool waits = false;  // For an answer that the mailboxes give later.
    model::process::Request request;
  };

  const Asked& AskedIn(uint32_t process, uint32_t state);
  const model::process::Office& OfficeIn(uint32_t office);
  std::vector<Step> Compute(const Key& key);
  void ServeNow(const Key& key, const Asked& asked, std::vector<Step>& steps);
  void AnswerLater(const Key& key, const Asked& asked, std::vector<Step>& steps);
  Step GoOn(const Key& key, model::EventId event, const model::Step& served);
  void Take(model::NodeId node, uint32_t& state, model::EventId event, std::vector<Part>& parts);
  void Register(uint32_t process, uint32_t state, uint32_t& office, std::vector<Part>& parts);
  model::EventId RequestOf(uint32_t process, const model::process::Request& request);
  Touched Number(uint32_t process, const model::process::Touch& touch);
  uint32_t NumberOf(const std::string& mailbox);
  uint32_t NumberOf(const model::process::Post& post);

  model::TransitionTable& table_;
  const uint32_t processes_;
  const model::NodeId office_;
  std::vector<std::vector<Asked>> asked_;  // By process and state.
  absl::flat_hash_map<uint32_t, model::process::Office> offices_;
  absl::flat_hash_map<Key, const std::vector<Step>*> index_;
  std::deque<std::vector<Step>> steps_;
  std::map<std::string, uint32_t> mailboxes_;
  std::map<model::process::Post, uint32_t> posts_;
  std::vector<model::process::Post> post_of_;
  uint64_t bytes_ = 0;
  bool open_outcomes_ = false;
};

}  // namespace foretell::search
