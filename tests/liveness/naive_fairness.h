#pragma once

// The judge of fair cycles: the whole graph on the plain semantics, and from each state all that it
// can reach and be reached from, again and again, until nothing owes anything any more.
// Deliberately dumb, and shares nothing with search/fairness.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/liveness/fairness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::tests {

class NaiveFairness {
 public:
  NaiveFairness(const model::Service& service, model::CountOn count_on, model::Fairness fairness)
      : service_(service), count_on_(count_on), fairness_(fairness) {}

  // Whether some fair cycle of states in which the first invariant does not hold can be reached.
  // Nothing if more than `states_max` states can.
  std::optional<bool> HasCycle(const model::SystemCut& start, size_t states_max) {
    Number(start);
    for (size_t s = 0; s < states_.size(); ++s) {
      if (states_.size() > states_max) return std::nullopt;
      Expand(s);
    }
    for (size_t s = 0; s < states_.size(); ++s) {
      if (!live_[s] && OnFairCycle(s)) return true;
    }
    return false;
  }

 private:
  struct Edge {
    size_t from;
    size_t to;
    std::string does;            // The thing that happens.
    std::string outcome;         // And how.
    std::set<std::string> sent;  // What happens if what was sent arrives.
  };

  size_t Number(const model::SystemCut& cut) {
    const auto canonical = model::PlainSystem(service_, cut).Canonical();
    const auto [entry, fresh] = numbers_.emplace(canonical, states_.size());
    if (fresh) states_.push_back(canonical);
    return entry->second;
  }

  static std::string Text(model::NodeId node, const model::Event& event) {
    return std::to_string(node.value()) + "/" + std::to_string(static_cast<int>(event.kind)) + "/" +
           std::to_string(event.peer.value()) + "/" + event.body;
  }
  bool streams() const { return service_.network().kind == model::NetworkKind::kStreams; }
  std::string ThingOf(const model::PathStep& step) const {
    model::Event event = step.event;
    if (streams() && event.kind == model::EventKind::kDeliver) event.body = "(the head)";
    return Text(step.node, event);
  }
  static std::string OutcomeOf(const model::PathStep& step) {
    std::string text = Text(step.node, step.event);
    for (const uint32_t choice : step.choices) text += "?" + std::to_string(choice);
    return text;
  }
  bool Counts(const model::SystemCut& cut, const model::PathStep& step) const {
    const auto result = service_.Run(step.node, cut.nodes[step.node.index()].body,
                                     std::span(&step.event, 1), step.choices);
    const auto& weights = result.choice_weights;
    return CountsOn(count_on_, HelpOf(service_, step.event)) &&
           std::find(weights.begin(), weights.end(), 0u) == weights.end();
  }

  void Expand(size_t s) {
    const model::PlainSystem here(service_, states_[s]);
    const auto& nodes = states_[s].nodes;
    live_.push_back(here.Culprits(service_.invariants()[0].name).empty() &&
                    std::none_of(nodes.begin(), nodes.end(), [](const auto& node) {
                      return node.status == model::NodeStatus::kFailed;
                    }));
    possible_.emplace_back();
    offered_.emplace_back();
    for (const model::PathStep& step : here.Enabled()) {
      model::PlainSystem next = here;
      const auto effect = next.Apply(step);
      FORETELL_CHECK(effect.ok());
      const size_t to = Number(next.state());
      if (!Counts(states_[s], step)) continue;
      possible_[s].insert(ThingOf(step));
      offered_[s][Text(step.node, step.event)].insert(OutcomeOf(step));
      Edge edge{s, to, ThingOf(step), OutcomeOf(step), {}};
      for (const model::Message& message : effect->sent) {
        edge.sent.insert(
            Text(message.to, {model::EventKind::kDeliver, message.from, message.body}));
      }
      event_of_.push_back(Text(step.node, step.event));
      edges_.push_back(std::move(edge));
    }
  }

  // All states that edges of `usable` lead to from `s`, or from which they lead to it.
  std::vector<bool> Reach(size_t s, const std::set<size_t>& usable, bool forwards) const {
    std::vector<std::vector<size_t>> next(states_.size());
    for (const size_t e : usable) {
      const Edge& edge = edges_[e];
      next[forwards ? edge.from : edge.to].push_back(forwards ? edge.to : edge.from);
    }
    std::vector<bool> reached(states_.size(), false);
    reached[s] = true;
    std::vector<size_t> open = {s};
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      for (const size_t to : next[at]) {
        if (!reached[to]) open.push_back(to);
        reached[to] = true;
      }
    }
    return reached;
  }

  bool OnFairCycle(size_t s) const {
    std::set<size_t> usable;
    for (size_t e = 0; e < edges_.size(); ++e) {
      if (!live_[edges_[e].from] && !live_[edges_[e].to]) usable.insert(e);
    }
    for (;;) {
      const std::vector<bool> ahead = Reach(s, usable, true);
      const std::vector<bool> behind = Reach(s, usable, false);
      std::erase_if(usable, [&](size_t e) {
        const auto around = [&](size_t state) { return ahead[state] && behind[state]; };
        return !around(edges_[e].from) || !around(edges_[e].to);
      });
      if (usable.empty()) return false;
      const std::set<size_t> owing = Owing(usable);
      if (owing.empty()) return true;
      for (const size_t e : owing) usable.erase(e);
    }
  }

  // The edges that a fair way round within `usable` cannot take.
  std::set<size_t> Owing(const std::set<size_t>& usable) const {
    const bool lossy = fairness_ == model::Fairness::kFairLoss && !streams();
    std::set<size_t> states;
    std::set<std::string> done;
    std::set<std::string> outcomes;
    for (const size_t e : usable) {
      states.insert(edges_[e].from);
      done.insert(edges_[e].does);
      outcomes.insert(edges_[e].outcome);
    }
    std::map<std::string, size_t> times;
    for (const size_t s : states) {
      for (const std::string& thing : possible_[s]) {
        const bool arrival = thing.find("/0/") == thing.find('/');
        if (!(lossy && arrival) && !done.contains(thing)) ++times[thing];
      }
    }
    std::set<size_t> owing;
    for (const size_t e : usable) {
      const Edge& edge = edges_[e];
      bool owes = false;
      for (const std::string& thing : possible_[edge.from]) {
        const auto time = times.find(thing);
        if (time == times.end()) continue;
        owes |= fairness_ == model::Fairness::kStrong || time->second == states.size();
      }
      for (const std::string& arrival : edge.sent) owes |= lossy && !done.contains(arrival);
      for (const std::string& outcome : offered_[edge.from].at(event_of_[e])) {
        owes |= !outcomes.contains(outcome);
      }
      if (owes) owing.insert(e);
    }
    return owing;
  }

  const model::Service& service_;
  const model::CountOn count_on_;
  const model::Fairness fairness_;
  std::map<model::SystemCut, size_t> numbers_;
  std::vector<model::SystemCut> states_;
  std::vector<bool> live_;
  std::vector<std::set<std::string>> possible_;
  std::vector<std::map<std::string, std::set<std::string>>> offered_;  // By event.
  std::vector<Edge> edges_;
  std::vector<std::string> event_of_;  // By edge.
};

}  // namespace foretell::tests
