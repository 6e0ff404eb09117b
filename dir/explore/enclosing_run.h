#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/dir/ids/numbered_table.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/run.h"

namespace foretell::dir {

// The run of a component that is divided in turn, as a whole in its environment: it has the
// messages that may come from outside the component, and its behaviour there. It is kept in step
// with the run of the parts, which is the composer's: the same execution, with the same transitions
// at the same positions, looked at on two levels.
class EnclosingRun {
 public:
  // `setting` is the one that the component is part of. All outlive this.
  EnclosingRun(const CheckSetting& setting, NumberedTable& table,
               std::span<const model::NodeId> nodes, const Components& division, Run& parts);

  // REQUIRES: nothing happened yet.
  void Enter(const Environment& environment);

  // Appends the events that can happen next.
  void Enabled(std::vector<Candidate>& candidates) { run_.Enabled(candidates); }
  // The delivery of a message from outside; nothing if it cannot be received next. `received` is
  // its identity for the receiver's part.
  std::optional<Candidate> FindDelivery(model::EventId event, const Signature& received);
  // Both act on this run and on the run of the parts.
  void Apply(const Candidate& candidate, uint32_t outcome);
  void Undo();

  // Adds the messages from outside that a part may receive in the course of this run.
  void AddArrivals(ComponentId part, Environment& environment) const;
  // The behaviour of the component in this run, which is its trace.
  Behaviour ComponentBehaviour() const { return BehaviourOf(run_); }
  // The same behaviour with the first run that had it as its trace. Valid for as long as this.
  const Behaviour& InternBehaviour();
  uint64_t bytes() const { return bytes_; }

 private:
  // A message as the receiver's part knows it: it need not be told apart from one that says the
  // same and needs the same of this part, whatever other parts had to do for it.
  Arrival ArrivalAtPart(uint32_t arrival) const;

  TableEvents& events_;
  const Components& division_;
  Run& parts_;
  Run run_;
  std::vector<Candidate> arriving_;  // Of one call of FindDelivery.
  std::vector<uint32_t> races_;      // Of one call of Apply.
  std::deque<Behaviour> behaviours_;
  absl::flat_hash_map<Signature, const Behaviour*> behaviour_of_;
  uint64_t bytes_ = 0;  // Of behaviours.
};

}  // namespace foretell::dir
