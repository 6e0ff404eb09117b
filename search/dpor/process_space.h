#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/arena.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/event.h"
#include "foretell/search/dpor/histories.h"
#include "foretell/search/dpor/offices.h"
#include "foretell/search/dpor/relation.h"
#include "foretell/search/dpor/service_walk.h"

namespace foretell::search {

// A global state by id: a history for each process and, last, the mailboxes. Whatever needs no
// decision has happened: processes have begun, answers have arrived, waiting is known.
using ProcessIds = std::span<const uint32_t>;

// The semantics of a program of processes on ids: its atomic steps, each of which is one primitive
// and, in the service, a few events. Nothing is ever disabled: only its own process ends a step.
class ProcessSpace {
 public:
  // REQUIRES: the service is a program (model::process::IsProgram), and `cut` is valid for it.
  ProcessSpace(model::TransitionTable& table, const model::SystemCut& cut);

  uint32_t process_count() const { return processes_; }

  // A way for a process to go on.
  struct Step {
    uint32_t key = 0;  // Tells the ways of one process apart, also in other states.
    // A Wait, which only what it waits for can end; without that it is no other step.
    bool blocks = false;
    bool fails = false;    // The process breaks.
    uint32_t process = 0;  // The process's next state ...
    uint32_t office = 0;   // ... and the mailboxes'.
    Touched touched;
    Via via = Via::kServed;
    uint32_t choice = 0;  // As in ServiceWalk.
  };

  ProcessIds start() const { return start_; }
  // The ways for `process` to go on; none if it waits or has ended. In a fixed order. They stay
  // where they are until Forget.
  std::span<const Step> Steps(ProcessIds state, uint32_t process);
  // Whether there are any.
  bool Enabled(ProcessIds state, uint32_t process) const;
  // Whether it has come to its end, or is broken.
  bool Ended(ProcessIds state, uint32_t process) const {
    return histories_.WishOf(process, state[process]).kind == Wish::Kind::kNothing;
  }
  // The post that Touched knows by `number`.
  model::process::Post PostOf(uint32_t number) const { return histories_.PostOf(number); }
  // The events of the service that are these steps of processes, from the cut on.
  using Taken = std::pair<uint32_t, const Step*>;
  ServiceWalk Walk(std::span<const Taken> steps) const;

  Histories& histories() { return histories_; }
  const Offices& offices() const { return offices_; }
  uint64_t bytes() const;
  // What is held of states beyond the histories. Spans and ids of mailboxes mean nothing any more;
  // start() is as before. For those who explore for a long time.
  uint64_t held() const {
    return steps_.bytes() + offices_.bytes() + numbers_.bytes() + index_bytes_;
  }
  void Forget();

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
  std::span<const Step> Compute(const Key& key);
  void Send(const Key& key, const Wish& wish);
  void Recv(const Key& key, const Wish& wish);
  void Test(const Key& key, const Wish& wish);
  void Answer(const Key& key, const Wish& wish);
  void Add(const Key& key, Step step, uint32_t process, uint32_t office);
  // With the index-th of its posts, which is used up.
  void Complete(const Key& key, Step step, const Wish& wish, uint32_t index);
  Touched Posted(const Key& key, Touched::Kind kind, std::span<const uint32_t> mailboxes,
                 std::span<const uint32_t> posts);
  Touched Looked(const Key& key, std::span<const uint32_t> posts);
  bool AnyReady(uint32_t office, std::span<const uint32_t> posts) const;
  void Begin();

  model::TransitionTable& table_;
  const uint32_t processes_;
  const model::SystemCut cut_;
  Histories histories_;
  Offices offices_;
  std::optional<model::process::Office> office_;  // Where it starts; nothing if they are not up.
  std::vector<uint32_t> start_;
  absl::flat_hash_map<Key, std::span<const Step>> index_;
  uint64_t index_bytes_ = 0;
  model::Arena<Step> steps_;
  model::Arena<uint32_t> numbers_;
  std::vector<Step> computed_;  // Those that are being made.
};

}  // namespace foretell::search
