#include "foretell/search/cover/bags.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/search/cover/testing/relay.h"

namespace foretell::search {
namespace {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;

class BagsTest : public ::testing::Test {
 protected:
  // Each of three messages to node 1, by sender.
  MessageId Of(uint32_t from) { return table_.InternMessage({NodeId(from), NodeId(1), ""}); }

  const std::shared_ptr<const model::Service> service_ =
      model::MakeService(testing::Relay{.nodes = 3, .net = {.duplicates_max = 1}});
  model::TransitionTable table_{*service_};
  Bags bags_{table_};
};

TEST_F(BagsTest, CountsWhatIsThere) {
  const BagId bag = bags_.Intern(std::vector{Of(2), Of(0), Of(2)});
  EXPECT_EQ(bags_.Count(bag, Of(0)), 1u);
  EXPECT_EQ(bags_.Count(bag, Of(1)), 0u);
  EXPECT_EQ(bags_.Count(bag, Of(2)), 2u);
  EXPECT_EQ(bag, bags_.Intern(std::vector{Of(0), Of(2), Of(2)}));
  EXPECT_EQ(bags_.Intern({}), BagId(0));
}

TEST_F(BagsTest, AnyNumberIsMoreThanEveryNumber) {
  const BagId one = bags_.Intern(std::vector{Of(0), Of(1)});
  const BagId more = bags_.Intern(std::vector{Of(0), Of(1), Of(1)});
  const BagId other = bags_.Intern(std::vector{Of(2), Of(1)});
  const BagId any = bags_.Join(one, bags_.Gains(one, more));
  EXPECT_EQ(bags_.Count(any, Of(0)), 1u);
  EXPECT_EQ(bags_.Count(any, Of(1)), Bags::kOmega);
  EXPECT_TRUE(bags_.Within(one, more));
  EXPECT_TRUE(bags_.Within(more, any));
  EXPECT_TRUE(bags_.Within(BagId(0), one));
  EXPECT_FALSE(bags_.Within(more, one));
  EXPECT_FALSE(bags_.Within(any, more));
  EXPECT_FALSE(bags_.Within(other, any));
  EXPECT_EQ(bags_.Gains(any, any), BagId(0));
  EXPECT_EQ(bags_.Join(any, more), any);
  EXPECT_EQ(bags_.Count(bags_.Join(other, more), Of(2)), 1u);
}

TEST_F(BagsTest, SendsAllCopiesAndTakesOne) {
  const StateId start = table_.InternState(NodeId(0), {.body = service_->InitialState(NodeId(0))});
  const EventId says = table_.LocalEvents(NodeId(0), start)[0];
  const model::Step step = table_.Successors(NodeId(0), start, says)[0];
  const BagId said = bags_.After(BagId(0), says, step.sends);
  EXPECT_EQ(bags_.Count(said, Of(0)), 2u);
  const model::SendsId nothing = model::SendsId(0);
  ASSERT_TRUE(table_.Batches(nothing).empty());
  const BagId heard = bags_.After(said, EventId::Deliver(Of(0)), nothing);
  EXPECT_EQ(bags_.Count(heard, Of(0)), 1u);
  EXPECT_EQ(bags_.After(heard, EventId::Deliver(Of(0)), nothing), BagId(0));
  const BagId any = bags_.Gains(heard, said);
  EXPECT_EQ(bags_.After(any, EventId::Deliver(Of(0)), step.sends), any);
}

}  // namespace
}  // namespace foretell::search
