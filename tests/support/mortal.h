#pragma once

// Systems with a liveness predicate, judged by the naive judge.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/naive_liveness.h"

namespace foretell::tests {

// A kind of transition into death, as it is pinned.
struct Way {
  uint32_t node = 0;
  std::string event;
  uint64_t transitions = 0;
  size_t steps = 0;  // Of a shortest path, this one included.
  friend bool operator==(const Way&, const Way&) = default;
  friend void PrintTo(const Way& way, std::ostream* out) {
    *out << "{" << way.node << ", \"" << way.event << "\", " << way.transitions << ", " << way.steps
         << "}";
  }
};

inline std::vector<Way> WaysOf(const search::NaiveLivenessResult& result) {
  std::vector<Way> ways;
  for (const model::CriticalKind& kind : result.kinds) {
    ways.push_back({kind.node.value(), kind.event, kind.transitions, kind.path.size()});
  }
  return ways;
}

inline size_t IndexOf(const model::Service& service, const std::string& property) {
  size_t index = 0;
  while (service.invariants()[index].name != property) ++index;
  return index;
}

// The fate of all states of a scenario. Of a datagram as many copies are in flight as one send
// makes. Its paths replay.
inline search::NaiveLivenessResult Judge(const model::ServiceFamily& family,
                                         const std::string& scenario, const std::string& bug,
                                         const std::string& property) {
  const auto system = family.Make(scenario, bug);
  EXPECT_TRUE(system.ok()) << system.status();
  const model::Service& service = *system->service;
  search::NaiveLivenessResult result =
      search::NaiveLiveness(service, system->start, IndexOf(service, property),
                            {.copies_max = 1 + service.network().duplicates_max});
  EXPECT_TRUE(result.finished) << scenario << " " << bug;
  for (const model::CriticalKind& kind : result.kinds) {
    EXPECT_TRUE(model::Replay(service, system->start, kind.path).ok()) << kind.event;
  }
  return result;
}

// The correct system has no dead state, lost messages or not.
inline uint64_t StatesIfImmortal(const model::ServiceFamily& family, const std::string& scenario,
                                 const std::string& property, const std::string& bug = "") {
  const search::NaiveLivenessResult result = Judge(family, scenario, bug, property);
  EXPECT_TRUE(result.dead.empty()) << scenario << " " << property;
  EXPECT_TRUE(result.dead_by_loss.empty()) << scenario << " " << property;
  return result.states;
}

}  // namespace foretell::tests
