#include "foretell/search/cover/cover_search.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/cover/testing/relay.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::EventId;
using model::StateId;
using testing::Relay;

// A search of a relay's system states.
class Trial {
 public:
  explicit Trial(const Relay& relay, const MoveFilter* filter = nullptr)
      : service_(model::MakeService(relay)),
        table_(*service_),
        start_(model::InitialCut(*service_)),
        search_(table_, filter) {}

  model::SystemCut& start() { return start_; }
  model::TransitionTable& table() { return table_; }
  const model::Service& service() const { return *service_; }
  CoverSearch& search() { return search_; }

  Trial& Finish() {
    Budget budget = Budget::Unlimited();
    search_.Grow(UINT32_MAX, budget);
    EXPECT_TRUE(search_.finished());
    return *this;
  }
  std::set<std::vector<StateId>> Systems() const {
    std::set<std::vector<StateId>> all;
    for (uint32_t i = 0; i < search_.system_count(); ++i) {
      const auto states = search_.system(i);
      all.emplace(states.begin(), states.end());
    }
    return all;
  }

 private:
  std::shared_ptr<const model::Service> service_;
  model::TransitionTable table_;
  model::SystemCut start_;
  CoverSearch search_;
};

// Follows nothing of one kind.
class Without final : public MoveFilter {
 public:
  explicit Without(model::EventKind kind) : kind_(kind) {}
  bool Follows(EventId event) const override { return event.kind() != kind_; }
  bool Follows(EventId event, const model::Step&) const override { return Follows(event); }

 private:
  const model::EventKind kind_;
};

TEST(CoverSearchTest, EveryWayReplays) {
  Trial run({.nodes = 4, .every = 3, .enough = 3});
  run.search().Begin(run.start());
  run.Finish();
  EXPECT_EQ(run.search().system_count(), 3u * 3 * 4);
  for (uint32_t i = 0; i < run.search().system_count(); ++i) {
    const auto path = run.search().PathTo(i, 1'000);
    ASSERT_TRUE(path.has_value());
    const auto steps = model::Replay(run.service(), run.start(), *path);
    ASSERT_TRUE(steps.ok()) << steps.status();
    const model::SystemCut& end = steps->empty() ? run.start() : steps->back().after;
    for (uint32_t n = 0; n < 4; ++n) {
      const model::NodeId node(n);
      EXPECT_EQ(end.nodes[n], run.table().StateOf(node, run.search().system(i)[n]));
    }
  }
}

TEST(CoverSearchTest, WhatIsInFlightMayArriveOrBeLost) {
  const Without silent(model::EventKind::kAction);
  Trial trial({.enough = 5, .net = {.duplicates_max = 1}}, &silent);
  for (int i = 0; i < 2; ++i) {
    trial.start().in_flight.push_back({model::NodeId(0), model::NodeId(1), ""});
  }
  trial.search().Begin(trial.start());
  // Neither, one or both: a cut has all the copies that there will be.
  EXPECT_EQ(trial.Finish().search().system_count(), 3u);
}

TEST(CoverSearchTest, BeginsWithNothingInFlight) {
  const Without silent(model::EventKind::kAction);
  for (const bool speaks : {false, true}) {
    Trial trial({.enough = 5}, speaks ? nullptr : &silent);
    std::vector<StateId> system;
    for (uint32_t n = 0; n < 2; ++n) {
      system.push_back(trial.table().InternState(model::NodeId(n), trial.start().nodes[n]));
    }
    trial.search().Begin(system);
    EXPECT_EQ(trial.Finish().search().system_count(), speaks ? 6u : 1u);
  }
}

TEST(CoverSearchTest, FollowsOnlyWhatTheFilterDoes) {
  const Without deaf(model::EventKind::kDeliver);
  Trial run({.nodes = 3, .every = 2, .enough = 2}, &deaf);
  run.search().Begin(run.start());
  EXPECT_EQ(run.Finish().search().system_count(), 1u);
  // Said once, said any number of times.
  EXPECT_EQ(run.search().tree().size(), 2u);
}

TEST(CoverSearchTest, GoesOnWithAnotherBudget) {
  const Relay relay{.nodes = 4, .every = 2, .enough = 3};
  Trial whole(relay);
  whole.search().Begin(whole.start());
  whole.Finish();
  Trial pieces(relay);
  pieces.search().Begin(pieces.start());
  // One more step each time: an expansion that is cut off begins anew, and must get further.
  for (uint64_t steps = 1; !pieces.search().finished(); ++steps) {
    ASSERT_LT(steps, 100u);
    Budget budget({.steps_max = steps}, [] { return Budget::Time{}; });
    pieces.search().Grow(UINT32_MAX, budget);
  }
  EXPECT_EQ(pieces.Systems(), whole.Systems());
}

TEST(CoverSearchTest, StopsAtEnoughSystems) {
  Trial run({.nodes = 4, .every = 3, .enough = 3});
  run.search().Begin(run.start());
  Budget budget = Budget::Unlimited();
  run.search().Grow(2, budget);
  EXPECT_GE(run.search().system_count(), 2u);
  EXPECT_LT(run.search().system_count(), 36u);
  EXPECT_FALSE(run.search().finished());
}

}  // namespace
}  // namespace foretell::search
