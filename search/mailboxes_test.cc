#include "foretell/search/mailboxes.h"

#include <gtest/gtest.h>

#include "foretell/model/typed/service.h"

namespace foretell::search {
namespace {

using model::MessageId;
using model::NodeId;

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// Node 0 sends 1, 2 and 1 again to node 1 in one go.
struct BurstProtocol {
  using State = Number;
  using Message = Number;
  using Action = Number;
  model::Network net;
  uint32_t node_count() const { return 3; }
  model::Network network() const { return net; }
  State Initial(NodeId) const { return {}; }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId, const State&) const { return {{}}; }
  void OnAction(State&, const Action&, model::Context<Message>& context) const {
    for (const uint32_t n : {1, 2, 1}) context.Send(NodeId(1), {n});
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
};

constexpr NodeId kTo(1);
constexpr MailboxId kEmpty(0);
constexpr model::Network kStreams{.kind = model::NetworkKind::kStreams};

class Net {
 public:
  explicit Net(model::Network network)
      : service_(model::MakeService(BurstProtocol{network})), table_(*service_), boxes_(table_) {}

  MessageId Message(uint32_t from, uint32_t n) {
    return table_.InternMessage({NodeId(from), kTo, model::Encode(Number{n})});
  }
  // What node 0 sends in one go.
  uint32_t Burst() {
    const auto state = table_.InternState(NodeId(0), {.body = model::Encode(Number{})});
    const auto event = table_.LocalEvents(NodeId(0), state)[0];
    const auto step = table_.Successors(NodeId(0), state, event)[0];
    return table_.Batches(step.sends)[0].list;
  }
  Mailboxes& boxes() { return boxes_; }
  std::vector<MessageId> Deliverable(MailboxId id) const {
    const auto span = boxes_.Deliverable(kTo, id);
    return {span.begin(), span.end()};
  }

 private:
  std::unique_ptr<model::Service> service_;
  model::TransitionTable table_;
  Mailboxes boxes_;
};
using Ids = std::vector<MessageId>;

TEST(MailboxesTest, DatagramsAreAMultiset) {
  Net net({});
  const MessageId one = net.Message(0, 1);
  const MessageId two = net.Message(0, 2);
  const MailboxId full = net.boxes().Add(kTo, kEmpty, net.Burst());
  EXPECT_EQ(net.boxes().Content(kTo, full).size(), 3u);
  EXPECT_EQ(net.Deliverable(full), (Ids{one, two}));
  EXPECT_EQ(full, net.boxes().Intern(kTo, {two, one, one}));
  EXPECT_NE(full, net.boxes().Intern(kTo, {two, one}));
  const MailboxId less = net.boxes().Remove(kTo, full, one);
  EXPECT_EQ(net.Deliverable(less), (Ids{one, two}));
  const MailboxId least = net.boxes().Remove(kTo, less, one);
  EXPECT_EQ(net.Deliverable(least), (Ids{two}));
  EXPECT_EQ(net.boxes().Remove(kTo, least, two), kEmpty);
}

TEST(MailboxesTest, TheOrderOfArrivalsDoesNotMatterToDatagrams) {
  Net net({});
  const MessageId one = net.Message(0, 1);
  const MessageId two = net.Message(0, 2);
  const MailboxId full = net.boxes().Intern(kTo, {one, two, net.Message(2, 1)});
  const auto without = [&](MessageId a, MessageId b) {
    return net.boxes().Remove(kTo, net.boxes().Remove(kTo, full, a), b);
  };
  EXPECT_EQ(without(one, two), without(two, one));
}

TEST(MailboxesTest, ASentDatagramComesWithItsDuplicatesAndACutDoesNot) {
  Net net({.duplicates_max = 2});
  const MailboxId sent = net.boxes().Add(kTo, kEmpty, net.Burst());
  EXPECT_EQ(net.boxes().Content(kTo, sent).size(), 9u);
  const MailboxId cut = net.boxes().Intern(kTo, {net.Message(0, 1)});
  EXPECT_EQ(net.boxes().Content(kTo, cut).size(), 1u);
}

TEST(MailboxesTest, OnlyTheHeadOfAStreamIsDeliverable) {
  Net net(kStreams);
  const MessageId one = net.Message(0, 1);
  const MessageId two = net.Message(0, 2);
  const MessageId other = net.Message(2, 2);
  MailboxId box = net.boxes().Intern(kTo, {other});
  box = net.boxes().Add(kTo, box, net.Burst());
  EXPECT_EQ(net.Deliverable(box), (Ids{one, other}));
  box = net.boxes().Remove(kTo, box, one);
  EXPECT_EQ(net.Deliverable(box), (Ids{two, other}));
  box = net.boxes().Remove(kTo, box, two);
  EXPECT_EQ(net.Deliverable(box), (Ids{one, other}));
  box = net.boxes().Remove(kTo, box, other);
  EXPECT_EQ(net.Deliverable(box), (Ids{one}));
}

TEST(MailboxesTest, StreamsKeepTheOrderPerSenderOnly) {
  Net net(kStreams);
  const MessageId one = net.Message(0, 1);
  const MessageId two = net.Message(0, 2);
  const MessageId other = net.Message(2, 2);
  EXPECT_EQ(net.boxes().Intern(kTo, {one, other, two}), net.boxes().Intern(kTo, {other, one, two}));
  EXPECT_NE(net.boxes().Intern(kTo, {one, two}), net.boxes().Intern(kTo, {two, one}));
}

TEST(MailboxesTest, ABreakLosesOneStream) {
  Net net(kStreams);
  const MessageId other = net.Message(2, 2);
  const MailboxId box = net.boxes().Intern(kTo, {net.Message(0, 1), other, net.Message(0, 2)});
  EXPECT_EQ(net.boxes().Break(kTo, box, NodeId(0)), net.boxes().Intern(kTo, {other}));
  EXPECT_EQ(net.boxes().Break(kTo, box, kTo), box);
}

TEST(MailboxesTest, ARestartEmptiesStreamsAndLeavesDatagrams) {
  Net streams(kStreams);
  const MailboxId box = streams.boxes().Intern(kTo, {streams.Message(0, 1)});
  EXPECT_EQ(streams.boxes().Restart(box), kEmpty);
  Net datagrams({});
  const MailboxId kept = datagrams.boxes().Intern(kTo, {datagrams.Message(0, 1)});
  EXPECT_EQ(datagrams.boxes().Restart(kept), kept);
}

}  // namespace
}  // namespace foretell::search
