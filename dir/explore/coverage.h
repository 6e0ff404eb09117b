#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/components.h"
#include "foretell/dir/trace/run.h"
#include "foretell/dir/trace/skeleton.h"

namespace foretell::dir {

// An index from transitions to skeletons, which tells whether some skeleton has a set of
// transitions. A transition's signature stands for all that its component did and received before,
// so a skeleton has a set of transitions together with their past if it has the latest of each
// component.
class Coverage {
 public:
  explicit Coverage(uint32_t component_count)
      : events_of_(component_count), before_(component_count) {}

  // Skeletons are numbered as they come. `origin` is the one it was composed with; kNone if it is
  // the first. The skeleton outlives this.
  void Add(const Skeleton& skeleton, uint32_t origin);

  uint64_t bytes() const { return bytes_; }

  // The rest of a skeleton if one component leaves out some of its transitions: all transitions
  // that do not depend on those.
  struct Rest {
    uint32_t skeleton = 0;
    Positions gone;       // Of the component, in the skeleton's trace.
    Signature signature;  // Of the set of transitions that are left.
    bool novel = false;   // The skeleton's origin lacks some of these, or there is no origin.
  };
  // Fills in the rest. `dropped` are transitions of the component and all of its that depend on
  // them.
  void Drop(uint32_t number, ComponentId component, std::span<const Signature> dropped,
            Rest& rest) const;
  // True iff some skeleton has all transitions of `rest`, and `next` of `component`.
  bool Covers(const Rest& rest, ComponentId component, const Signature& next);

 private:
  struct Event {
    Signature signature;              // Different for different components.
    std::vector<uint32_t> skeletons;  // That have it, ascending.
  };
  struct Occurrence {
    uint32_t event = 0;
    ComponentId component;
    uint32_t position = 0;  // In the skeleton's trace.
    Signature before;       // The sum of all events before it.
  };
  struct Entry {
    const Skeleton* skeleton;
    std::vector<Occurrence> events;  // In the order of the trace.
    Signature all;
    bool first = false;
    Positions novel;  // Events that the origin lacks, and that depend on none such.
  };
  void FindNovel(uint32_t origin, Entry& entry);
  // Fills latest_ with the last events of `rest`.
  void FindLatest(const Rest& rest);

  std::vector<absl::flat_hash_map<Signature, uint32_t>> events_of_;  // By component.
  std::vector<Event> events_;
  std::vector<Entry> entries_;
  uint64_t bytes_ = 0;
  std::vector<uint32_t> last_seen_;  // By event: the last skeleton whose novel events were sought.
  // Of one call of Covers.
  std::vector<uint32_t> latest_;   // Events.
  std::vector<Positions> before_;  // By component: positions of events that are not the latest.
};

}  // namespace foretell::dir
