#include "foretell/predictors/coverage/stable_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "foretell/predictors/testing/holder_protocol.h"

namespace foretell::predictors {
namespace {

using model::NodeId;
using ::testing::HasSubstr;
using testing::HolderProtocol;
using testing::MakeHolders;
using testing::Release;
using testing::Take;

const model::Event kRelease{.kind = model::EventKind::kAction,
                            .body = model::Encode(HolderProtocol::Action(Release{}))};
const model::Event kTake{.kind = model::EventKind::kAction,
                         .body = model::Encode(HolderProtocol::Action(Take{}))};

std::string Holding(bool holds) { return model::Encode(HolderProtocol::State{.holds = holds}); }

TEST(StableProbeTest, AViolationOfOneNodeThatEndsIsADoubt) {
  const model::System system = MakeHolders({.scope = model::Scope::kNode});
  StableProbe probe(*system.service, 0);
  probe.Change(NodeId(1), Holding(false), kTake, Holding(true));
  EXPECT_FALSE(probe.doubt());
  probe.Change(NodeId(1), Holding(true), kRelease, Holding(false));
  ASSERT_TRUE(probe.doubt());
  EXPECT_EQ(probe.doubt()->invariant, "one-holder");
  EXPECT_EQ(probe.doubt()->text,
            "`stable` of one-holder cannot be relied on: action Release() at node 1 (holds: yes -> "
            "no) ends a violation");
}

TEST(StableProbeTest, APairNeedsAnother) {
  const model::System system = MakeHolders();
  StableProbe probe(*system.service, 0);
  probe.See(NodeId(0), Holding(false));
  probe.Change(NodeId(1), Holding(true), kRelease, Holding(false));
  EXPECT_FALSE(probe.doubt()) << "nobody else was seen to hold it";
  probe.See(NodeId(0), Holding(true));
  ASSERT_TRUE(probe.doubt()) << "what was seen before counts";
  EXPECT_THAT(probe.doubt()->text, HasSubstr("ends a violation with node 0"));
}

TEST(StableProbeTest, ASystemNeedsAllNodes) {
  const model::System system = MakeHolders({.nodes = 3, .scope = model::Scope::kSystem});
  StableProbe probe(*system.service, 0);
  probe.See(NodeId(0), Holding(true));
  probe.Change(NodeId(1), Holding(true), kRelease, Holding(false));
  EXPECT_FALSE(probe.doubt()) << "node 2 is absent";
  probe.See(NodeId(2), Holding(false));
  EXPECT_TRUE(probe.doubt());
}

TEST(StableProbeTest, NoDoubtWithoutChange) {
  const model::System system = MakeHolders();
  StableProbe probe(*system.service, 0);
  probe.See(NodeId(0), Holding(true));
  probe.Change(NodeId(1), Holding(false), kTake, Holding(true));
  probe.Change(NodeId(1), Holding(true), kTake, Holding(true));
  EXPECT_FALSE(probe.doubt());
}

}  // namespace
}  // namespace foretell::predictors
