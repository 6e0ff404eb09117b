#include "foretell/integration/philosophers/family.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/integration/philosophers/protocol.h"
#include "foretell/model/check.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::philosophers {
namespace {

constexpr const char* kGreedyFork = "greedy-fork";

struct Scenario {
  const char* name;
  const char* text;
  uint32_t philosophers;
  const char* components;
};
constexpr Scenario kScenarios[] = {
    {"ring-3", "three philosophers and three forks", 3, ""},
    {"ring-4", "four philosophers and four forks", 4, "0-3/4-7"},
    {"ring-6", "six philosophers and six forks", 6, "0-5/6-11"},
    {"ring-8", "eight philosophers and eight forks", 8, "0-7/8-15"},
    {"dphi-2", "two components of eight philosophers (DEMETER section 5.1)", 16, "0-15/16-31"},
    {"dphi-3", "three components of eight philosophers (DEMETER section 5.1)", 24,
     "0-15/16-31/32-47"},
};

model::System MakeSystem(const Protocol& protocol) {
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

void AddWithFork(uint32_t philosopher, std::vector<model::NodeId>& component) {
  component.emplace_back(2 * philosopher);
  component.emplace_back(2 * philosopher + 1);
}

}  // namespace

model::System MakeRing(uint32_t count) { return MakeSystem({.philosophers = count}); }

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

std::string Family::text() const {
  return "dining philosophers, each of whom eats once; forks are nodes";
}

std::vector<model::Named> Family::scenarios() const {
  std::vector<model::Named> named;
  for (const Scenario& scenario : kScenarios) named.push_back({scenario.name, scenario.text});
  return named;
}

std::vector<model::Named> Family::bugs() const {
  return {{kGreedyFork, "a fork is granted to whoever asks, held or not"}};
}

std::string Family::version() const { return FORETELL_SOURCE_VERSION; }

absl::StatusOr<model::System> Family::Make(const std::string& scenario,
                                           const std::string& bug) const {
  for (const Scenario& known : kScenarios) {
    if (known.name != scenario) continue;
    model::System system =
        MakeSystem({.philosophers = known.philosophers, .greedy = bug == kGreedyFork});
    system.components = known.components;
    return system;
  }
  return absl::InvalidArgumentError(absl::StrCat("philosophers has no scenario ", scenario));
}

}  // namespace foretell::integration::philosophers
