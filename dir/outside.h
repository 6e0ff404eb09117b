#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "dir/behaviour.h"
#include "dir/run.h"
#include "dir/setting.h"
#include "dir/workbench.h"

namespace foretell::dir {

// What lies around a component that is divided in turn: which messages may come from there, and
// what of the component shows there. The same execution is looked at twice, with the same
// transitions at the same positions: as a run of the component in its environment, which is here,
// and as a run of the parts, which is the composer's.
class Outside {
 public:
  // `setting` is the one that the component is part of. All outlive this.
  Outside(const CheckSetting& setting, NumberedTable& table, std::span<const model::NodeId> nodes,
          const Components& division, Run& parts);

  // REQUIRES: nothing happened yet.
  void Enter(const Environment& environment);

  // Appends what can happen next.
  void Enabled(std::vector<Candidate>& candidates) { run_.Enabled(candidates); }
  // The delivery of a message from outside; nothing if it cannot be received next. `received` is
  // its identity for the receiver's part.
  std::optional<Candidate> FindDelivery(model::EventId event, const Signature& received);
  // In both runs.
  void Apply(const Candidate& candidate, uint32_t outcome);
  void Undo();

  // Adds the messages from outside that a part may receive in the course of this run.
  void AddArrivals(ComponentId part, Environment& environment) const;
  // The run as one of the component.
  Behaviour Whole() const { return BehaviourOf(run_); }
  // What the run shows outside, with some run that does. Valid for as long as this.
  const Behaviour& Shown();
  uint64_t bytes() const { return bytes_; }

 private:
  // A message as the receiver's part sees it: it need not be told apart from one that says the
  // same and needs the same of this part, whatever other parts had to do for it.
  Arrival Seen(uint32_t arrival) const;

  TableEvents& events_;
  const Components& division_;
  Run& parts_;
  Run run_;
  std::vector<Candidate> arriving_;  // Of one call.
  std::vector<uint32_t> races_;      // Likewise.
  std::deque<Behaviour> behaviours_;
  absl::flat_hash_map<Signature, const Behaviour*> behaviour_of_;
  uint64_t bytes_ = 0;  // Of behaviours.
};

}  // namespace foretell::dir
