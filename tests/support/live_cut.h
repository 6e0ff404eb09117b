#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::tests {

// A live system played by hand: calls as a live host makes them, deliveries one by one.
class LiveCut {
 public:
  explicit LiveCut(const model::System& system) : service_(*system.service), cut_(system.start) {}

  // The first call that `node` takes now.
  LiveCut& Call(uint32_t node) {
    const auto live = service_.MakeLive(model::NodeId(node), cut_.nodes[node].body);
    const auto calls = live->Calls();
    EXPECT_FALSE(calls.empty());
    if (calls.empty()) return *this;
    const model::Event call{model::EventKind::kAction, model::NodeId(0), calls.front()};
    const auto result = live->Handle(call, [](uint32_t) { return 0u; });
    EXPECT_EQ(result.failure, "");
    cut_.nodes[node].body = live->Encode();
    for (const model::Send& send : result.sends) {
      cut_.in_flight.push_back({model::NodeId(node), send.to, send.body});
    }
    return *this;
  }
  // The oldest message in flight from `from` to `to`.
  LiveCut& Deliver(uint32_t from, uint32_t to) {
    for (const model::Message& message : cut_.in_flight) {
      if (message.from.value() != from || message.to.value() != to) continue;
      Apply(message);
      return *this;
    }
    ADD_FAILURE() << "nothing in flight from " << from << " to " << to;
    return *this;
  }
  LiveCut& DeliverAll() {
    while (!cut_.in_flight.empty()) Apply(cut_.in_flight.front());
    return *this;
  }
  LiveCut& LoseAll() {
    cut_.in_flight.clear();
    return *this;
  }
  const model::SystemCut& cut() const { return cut_; }

 private:
  void Apply(model::Message message) {
    model::PlainSystem system(service_, std::move(cut_));
    const auto sent =
        system.Apply({message.to, {model::EventKind::kDeliver, message.from, message.body}, {}});
    EXPECT_TRUE(sent.ok()) << sent.status();
    cut_ = system.state();
  }

  const model::Service& service_;
  model::SystemCut cut_;
};

// Paxos, scenario live: three decrees that all have learned, and one that nodes 0 and 1 accepted
// and only node 0 learned. The live state of LMC section 5.5.
inline model::SystemCut LiveLearnedByOne(const model::System& system) {
  LiveCut live(system);
  for (uint32_t node = 0; node < 3; ++node) live.Call(node).DeliverAll();
  live.Call(0);
  live.Deliver(0, 0).Deliver(0, 1).Deliver(0, 0).Deliver(1, 0);  // Prepare, Promise.
  live.Deliver(0, 0).Deliver(0, 1).Deliver(0, 0).Deliver(1, 0);  // Accept, Learn.
  return live.LoseAll().cut();
}

}  // namespace foretell::tests
