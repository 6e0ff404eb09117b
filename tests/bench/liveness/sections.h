#pragma once

// The parts of the report that are about walks: each prints what it measures.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/tests/bench/measure.h"

namespace foretell::bench {

// Algorithm 3 of the paper and ours on the same executions, so many of each planted bug. Returns
// how many bugs have something wrong with ours.
int PrintCriticalTransitions(const Bench& bench, size_t executions);

// The walks from one system until it is live.
struct StepsToLive {
  std::string name;             // "transport".
  std::string system;           // "transport two-give-ups".
  std::vector<uint64_t> steps;  // From the start, in rising order; one per execution.
  double paper_at_50 = 0;       // The share that is live after 50 steps by the paper's text ...
  bool paper_below = false;     // ... or less than that.
};

// Figure 2 of the paper: random executions of the correct systems, any events for the first 15
// steps and then weighted walks without faults, until the predicate holds.
std::vector<StepsToLive> SampleStepsToLive(const Bench& bench, size_t samples);
void PrintStepsToLive(const std::vector<StepsToLive>& systems);

// Whether LMC on goals would decide what the oracle decides, and at what cost.
void PrintGoals(const Bench& bench);

// Steps per second.
void PrintWalks(const Bench& bench);

}  // namespace foretell::bench
