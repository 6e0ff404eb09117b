#include "foretell/integration/philosophers/family.h"

#include "foretell/integration/philosophers/protocol.h"
#include "foretell/model/check.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::philosophers {
namespace {

struct Ring {
  const char* name;
  const char* text;
  uint32_t philosophers;
  const char* components;
};
constexpr Ring kRings[] = {
    {"ring-3", "three philosophers and three forks", 3, ""},
    {"ring-4", "four philosophers and four forks", 4, "0-3/4-7"},
    {"ring-6", "six philosophers and six forks", 6, "0-5/6-11"},
    {"ring-8", "eight philosophers and eight forks", 8, "0-7/8-15"},
    {"dphi-2", "two components of eight philosophers (DEMETER section 5.1)", 16, "0-15/16-31"},
    {"dphi-3", "three components of eight philosophers (DEMETER section 5.1)", 24,
     "0-15/16-31/32-47"},
};

std::vector<model::ScenarioRow<Protocol>> Scenarios() {
  std::vector<model::ScenarioRow<Protocol>> scenarios;
  for (const Ring& ring : kRings) {
    scenarios.emplace_back(
        ring.name, ring.text, [&ring](Protocol& p) { p.philosophers = ring.philosophers; },
        std::vector<model::ScriptStep>(), ring.components);
  }
  return scenarios;
}

void AddWithFork(uint32_t philosopher, std::vector<model::NodeId>& component) {
  component.emplace_back(2 * philosopher);
  component.emplace_back(2 * philosopher + 1);
}

}  // namespace

model::System MakeRing(uint32_t count) {
  model::System system;
  system.service = model::MakeService(Protocol{.philosophers = count});
  system.start = model::InitialCut(*system.service);
  return system;
}

std::vector<std::vector<model::NodeId>> Consecutive(uint32_t count, uint32_t components) {
  FORETELL_CHECK(components > 0 && count % components == 0);
  std::vector<std::vector<model::NodeId>> groups(components);
  for (uint32_t i = 0; i < count; ++i) AddWithFork(i, groups[i / (count / components)]);
  return groups;
}

std::vector<std::vector<model::NodeId>> Alternating(uint32_t count, uint32_t components) {
  FORETELL_CHECK(components > 0);
  std::vector<std::vector<model::NodeId>> groups(components);
  for (uint32_t i = 0; i < count; ++i) AddWithFork(i, groups[i % components]);
  return groups;
}

Family::Family()
    : model::Family<Protocol>(
          {.name = "philosophers",
           .text = "dining philosophers, each of whom eats once; forks are nodes",
           .scenarios = Scenarios(),
           .bugs = {{"greedy-fork", "a fork is granted to whoever asks, held or not",
                     [](Protocol& p) { p.greedy = true; }}},
           .parameters = {{"philosophers", "how many there are, with as many forks",
                           &Protocol::philosophers, 2, 24}},
           .version = FORETELL_SOURCE_VERSION}) {}

}  // namespace foretell::integration::philosophers
