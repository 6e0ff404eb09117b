// Messages of the schema, as they come from other processes.

#include <concepts>

#include "foretell/model/check.h"
#include "foretell/snapshot/wire/message.h"
#include "foretell/tests/fuzz/samples.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

namespace wire = snapshot::wire;

// What was read can be written, and is then read as the same.
template <class Wire, class T>
void ReadAndWrite(const std::string& bytes) {
  T value;
  if (!snapshot::FromMessage<Wire>(bytes, value).ok()) return;
  const auto written = snapshot::ToMessage<Wire>(value);
  if (!written.ok()) return;
  T same;
  FORETELL_CHECK(snapshot::FromMessage<Wire>(*written, same).ok());
  if constexpr (std::equality_comparable<T>) FORETELL_CHECK(same == value);
}

template <class Wire, class T>
std::string Written(const T& value) {
  return *snapshot::ToMessage<Wire>(value);
}

struct Kind {
  void (*run)(const std::string& bytes);
  std::string (*sample)();
};

template <class Wire, class T>
constexpr Kind KindOf(std::string (*sample)() = [] { return Written<Wire>(T{}); }) {
  return {ReadAndWrite<Wire, T>, sample};
}

snapshot::GuardViews SampleViews() { return {{"seen", std::nullopt}, {"seen", "after"}}; }

constexpr Kind kKinds[] = {
    KindOf<wire::NodeState, model::NodeState>(
        [] { return Written<wire::NodeState>(SampleCut().nodes[0]); }),
    KindOf<wire::Cut, model::SystemCut>([] { return Written<wire::Cut>(SampleCut()); }),
    KindOf<wire::Event, model::Event>([] { return Written<wire::Event>(SampleFilter().event); }),
    KindOf<wire::PathStep, model::PathStep>([] {
      return Written<wire::PathStep>(
          model::PathStep{model::NodeId(1), SampleFilter().event, {0, 2}});
    }),
    KindOf<wire::Checkpoint, snapshot::Checkpoint>(
        [] { return Written<wire::Checkpoint>(SampleCheckpoint(1)); }),
    KindOf<wire::Filter, snapshot::Filter>([] { return Written<wire::Filter>(SampleFilter()); }),
    KindOf<wire::NodeInfo, snapshot::NodeInfo>(),
    KindOf<wire::AgentIdentity, snapshot::AgentIdentity>(),
    KindOf<wire::NodeCounters, snapshot::NodeCounters>([] {
      snapshot::NodeCounters counters;
      counters.hits.push_back({"d-1", snapshot::Mode::kShadow, 3});
      return Written<wire::NodeCounters>(counters);
    }),
    KindOf<wire::SafetyCut, snapshot::SafetyCut>([] {
      snapshot::SafetyCut cut{.number = 1, .modes = {{"agreement", snapshot::Mode::kEnforce}}};
      cut.cut = SampleCut();
      return Written<wire::SafetyCut>(cut);
    }),
    KindOf<wire::GuardTerms, snapshot::GuardTerms>(
        [] { return Written<wire::GuardTerms>(snapshot::GuardTerms{{"agreement"}}); }),
    KindOf<wire::GuardJoined, snapshot::GuardJoined>([] {
      return Written<wire::GuardJoined>(snapshot::GuardJoined{3, SampleViews()});
    }),
    KindOf<wire::GuardStep, snapshot::GuardStep>([] {
      return Written<wire::GuardStep>(snapshot::GuardStep{4, 3, true, SampleViews(), "an event"});
    }),
    KindOf<wire::Snapshot, snapshot::RecordedSnapshot>(
        [] { return Written<wire::Snapshot>(SampleRecorded()); }),
};

}  // namespace

void RunWire(const std::string& bytes) {
  Input input(bytes);
  const Kind& kind = kKinds[input.Byte() % std::size(kKinds)];
  kind.run(input.Rest());
}

std::vector<std::string> WireSeeds() {
  std::vector<std::string> seeds;
  for (const Kind& kind : kKinds) {
    seeds.push_back(static_cast<char>(seeds.size()) + kind.sample());
  }
  return seeds;
}

}  // namespace foretell::fuzz
