#include "foretell/model/plain/live_replay.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

struct Tick {
  static constexpr const char* kName = "Tick";
  template <class V>
  void Fields(V&) {}
};

// One node that counts its ticks, and once more those that the encoding knows nothing of.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    uint32_t hidden = 0;  // Not in Fields.
    template <class V>
    void Fields(V& v) {
      v("count", count);
    }
  };
  using Message = Tick;
  using Action = Tick;
  uint32_t notices_at = UINT32_MAX;  // The hidden count that makes a difference.
  bool chooses = false;

  uint32_t node_count() const { return 1; }
  State Initial(NodeId) const { return {}; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId, const State&) const { return {{}}; }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.count;
    if (chooses) context.Choose(2);
    if (++state.hidden == notices_at) state.count = 0;
  }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
};

std::optional<std::string> Difference(const CountProtocol& protocol, size_t ticks) {
  const auto service = MakeService(protocol);
  PathStep tick{NodeId(0), {EventKind::kAction, NodeId(0), Encode(Tick{})}, {}};
  if (protocol.chooses) tick.choices = {1};
  return LiveDifference(*service, InitialCut(*service), Path(ticks, tick));
}

TEST(LiveReplayTest, SeesNoDifferenceWhereThereIsNone) {
  EXPECT_EQ(Difference({}, 200), std::nullopt);
}

TEST(LiveReplayTest, NamesTheEventThatReadsWhatTheEncodingLeavesOut) {
  EXPECT_EQ(Difference({.notices_at = 5}, 5), "action Tick() at node 0");
  EXPECT_EQ(Difference({.notices_at = 5}, 4), std::nullopt);
}

TEST(LiveReplayTest, BeginsAnewAfterAChoice) {
  EXPECT_EQ(Difference({.notices_at = 2, .chooses = true}, 5), std::nullopt);
}

}  // namespace
}  // namespace foretell::model
