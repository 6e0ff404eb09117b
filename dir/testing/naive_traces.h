#pragma once

// Every complete trace of a small system by following every order of its events. The explorers
// are judged by these: no reduction, no components explored on their own, no composition.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "foretell/dir/explore/composer.h"
#include "foretell/dir/ids/table_events.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/run.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::dir::testing {

class NaiveTraces {
 public:
  explicit NaiveTraces(const CheckSetting& setting)
      : setting_(setting),
        table_(setting.service, setting.event_numbers),
        run_(setting, table_, AllNodes(setting.components.node_count())),
        local_traces_(setting.components.count()) {}

  // False if there are more than `prefixes_max` prefixes, or a trace is longer than the setting
  // allows.
  bool Run(uint64_t prefixes_max) {
    prefixes_max_ = prefixes_max;
    Follow();
    return prefixes_.size() <= prefixes_max_ && !cut_off_;
  }

  const std::set<Signature>& traces() const { return traces_; }
  // Skeletons of complete traces, by signature.
  const std::map<Signature, std::vector<std::set<Signature>>>& skeletons() const {
    return skeletons_;
  }
  // Complete local traces, by component.
  const std::vector<std::set<Signature>>& local_traces() const { return local_traces_; }

 private:
  void Follow() {
    if (prefixes_.size() > prefixes_max_ || !prefixes_.insert(Of(kNone)).second) return;
    if (run_.size() >= setting_.depth_max) {
      cut_off_ = true;
      return;
    }
    std::vector<Candidate> enabled;
    run_.Enabled(enabled);
    if (enabled.empty()) Complete();
    for (const Candidate& candidate : enabled) {
      for (uint32_t outcome = 0; outcome < run_.Outcomes(candidate); ++outcome) {
        run_.Apply(candidate, outcome);
        Follow();
        run_.Undo();
      }
    }
  }

  // The signature of the trace so far, or of a component's part of it.
  Signature Of(uint32_t component) const {
    std::vector<Signature> each(run_.size());
    Signature sum;
    for (uint32_t position = 0; position < run_.size(); ++position) {
      const Transition& transition = run_.at(position);
      const bool own = component == kNone ||
                       setting_.components.of(transition.candidate.node).value() == component;
      if (!own) continue;
      Signature past;
      transition.past.ForEach([&](size_t earlier) { past += each[earlier]; });
      each[position] = SignatureOf(
          {{transition.candidate.number, transition.outcome}, transition.received, past});
      sum += each[position];
    }
    return sum;
  }

  // Output transitions of others are part of a local trace, received or not.
  Signature SentTo(ComponentId component) const {
    Signature sum;
    std::vector<Arrival> arrivals;
    for (uint32_t position = 0; position < run_.size(); ++position) {
      run_.Arrivals(position, component, arrivals);
    }
    for (const Arrival& arrival : arrivals) sum += arrival.identity;
    return sum;
  }

  void Complete() {
    traces_.insert(Of(kNone));
    std::vector<std::set<Signature>> transitions(setting_.components.count());
    for (uint32_t position = 0; position < run_.size(); ++position) {
      const Transition& transition = run_.at(position);
      if (!transition.interface) continue;
      transitions[setting_.components.of(transition.candidate.node).index()].insert(
          transition.signature);
    }
    Signature skeleton;
    for (uint32_t c = 0; c < transitions.size(); ++c) {
      local_traces_[c].insert(SignatureOf({Of(c), SentTo(ComponentId(c))}));
      Signature behaviour;
      for (const Signature& transition : transitions[c]) behaviour += transition;
      skeleton += Skeleton::ComponentSignature(ComponentId(c), behaviour);
    }
    skeletons_.emplace(skeleton, std::move(transitions));
  }

  const CheckSetting& setting_;
  NumberedTable table_;
  dir::Run run_;
  uint64_t prefixes_max_ = 0;
  bool cut_off_ = false;
  std::set<Signature> prefixes_;
  std::set<Signature> traces_;
  std::map<Signature, std::vector<std::set<Signature>>> skeletons_;
  std::vector<std::set<Signature>> local_traces_;
};

}  // namespace foretell::dir::testing
