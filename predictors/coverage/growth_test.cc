#include "foretell/predictors/coverage/growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "foretell/predictors/testing/holder_protocol.h"

namespace foretell::predictors {
namespace {

using model::NodeId;
using ::testing::ElementsAre;
using testing::HolderProtocol;
using ::testing::IsEmpty;
using testing::MakeHolders;

class GrowthTest : public ::testing::Test {
 protected:
  void See(HolderProtocol::State state) { watch_.See(NodeId(1), model::Encode(state)); }

  const model::System system_ = MakeHolders();
  GrowthWatch watch_{*system_.service};
};

TEST_F(GrowthTest, ANumberThatRisesGrows) {
  for (uint32_t i = 1; i < 2048; ++i) See({.left = 2048 - i, .turns = i, .holds = i % 2 == 0});
  const std::vector<Growth> growing = watch_.Growing();
  ASSERT_EQ(growing.size(), 1u);
  EXPECT_EQ(growing[0].node, 1u);
  EXPECT_EQ(growing[0].field, "turns");
  EXPECT_THAT(growing[0].largest, ElementsAre(240, 480, 960)) << "of 8 states in each window";
}

TEST_F(GrowthTest, AContainerThatGetsLongerGrows) {
  HolderProtocol::State state;
  for (uint32_t i = 1; i < 512; ++i) {
    state.log.push_back(1);
    See(state);
  }
  const std::vector<Growth> growing = watch_.Growing();
  ASSERT_EQ(growing.size(), 1u);
  EXPECT_EQ(growing[0].field, "log");
}

TEST_F(GrowthTest, WhatComesToAnEndDoesNotGrow) {
  for (uint32_t i = 1; i < 4096; ++i) See({.turns = std::min(i, 100u), .holds = true});
  EXPECT_THAT(watch_.Growing(), IsEmpty());
}

TEST_F(GrowthTest, AFewRunsSayNothing) {
  for (uint32_t i = 1; i < 100; ++i) See({.turns = i});
  EXPECT_THAT(watch_.Growing(), IsEmpty());
}

}  // namespace
}  // namespace foretell::predictors
